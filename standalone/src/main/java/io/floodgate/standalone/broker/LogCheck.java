package io.floodgate.standalone.broker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.floodgate.standalone.broker.SegmentCheck.Damage;
import io.floodgate.standalone.broker.disk.SyncedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for damages in the logs before the broker starts, since Kafka takes the first one for the end of the log and drops
 * everything behind it.
 *
 * <p>It reads what Kafka reads: its own topics, and after a kill all that was written since the last clean stop. Of a small
 * installation it reads everything.
 */
final class LogCheck {
    private static final Logger LOG = LoggerFactory.getLogger(LogCheck.class);
    private static final String SEGMENTS = "\\d{20}\\.log";
    private static final String METADATA = "__cluster_metadata-0";
    /** Size of all segments up to which they are read at each start: a slow disk needs a second for it. */
    private static final long SMALL_BYTES = 256L * 1024 * 1024;

    private final Path directory;
    private final boolean wasKilled;
    private final long smallBytes;
    private final Map<String, Long> recoveryPoints;
    private final Map<String, Long> syncedEnds;

    private LogCheck(Path directory, boolean wasKilled, long smallBytes) throws IOException {
        this.directory = directory;
        this.wasKilled = wasKilled;
        this.smallBytes = smallBytes;
        recoveryPoints = offsets(directory.resolve("recovery-point-offset-checkpoint"));
        syncedEnds = offsets(directory.resolve(SyncedBroker.SYNCED_ENDS));
    }

    /** Repairs what can be repaired, and reports what cannot. */
    static void run(Path directory, boolean wasKilled) {
        run(directory, wasKilled, SMALL_BYTES);
    }

    static void run(Path directory, boolean wasKilled, long smallBytes) {
        try {
            if (Files.isDirectory(directory)) new LogCheck(directory, wasKilled, smallBytes).run();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot use %s as data directory: %s".formatted(directory, e.getMessage()), e);
        }
    }

    /** Lines of topic, partition and offset. What cannot be read counts as nothing: then more is checked, and less kept. */
    private static Map<String, Long> offsets(Path file) throws IOException {
        Map<String, Long> points = new HashMap<>();
        if (!Files.exists(file)) return points;
        for (String line : Files.readAllLines(file, ISO_8859_1)) {
            String[] words = line.split(" ", -1);
            if (words.length == 3 && words[2].matches("\\d{1,18}"))
                points.put(words[0] + "-" + words[1], Long.parseLong(words[2]));
        }
        return points;
    }

    private void run() throws IOException {
        List<Path> logs =
                files(directory, ".+-\\d+").stream().filter(Files::isDirectory).toList();
        new SmallFiles(directory).check(logs);
        long bytes = 0;
        for (Path log : logs) for (Path segment : files(log, SEGMENTS)) bytes += Files.size(segment);
        for (Path log : logs) check(log, bytes <= smallBytes);
    }

    private void check(Path log, boolean readsAll) throws IOException {
        String name = log.getFileName().toString();
        boolean isInternal = name.startsWith("__");
        if (!wasKilled && !readsAll && !isInternal) return;
        long from = isInternal || readsAll ? 0 : recoveryPoints.getOrDefault(name, 0L);
        List<Path> segments = files(log, SEGMENTS);
        for (int i = 0; i < segments.size(); i++) {
            Path segment = segments.get(i);
            boolean isLast = i == segments.size() - 1;
            if (isLast || baseOffset(segments.get(i + 1)) > from) check(name, segment, baseOffset(segment), isLast);
        }
        for (Path snapshot : files(log, ".+\\.checkpoint")) check(name, snapshot, 0, false);
    }

    private static List<Path> files(Path directory, String names) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.getFileName().toString().matches(names))
                    .sorted(Comparator.comparing(Path::getFileName))
                    .toList();
        }
    }

    private static long baseOffset(Path segment) {
        return Long.parseLong(segment.getFileName().toString().substring(0, 20));
    }

    private void check(String log, Path segment, long base, boolean isLast) throws IOException {
        if (Files.size(segment) == 0) return;
        try (SegmentCheck check = new SegmentCheck(segment, base)) {
            List<Damage> damages = check.run();
            // The end of the last segment may be an append that a kill has cut off.
            if (!isLast || !wasKilled) damages.addAll(check.rest());
            // Behind that, a loss of power has torn what was not acknowledged, and Kafka ends the log there.
            if (wasKilled) {
                long synced = syncedEnds.getOrDefault(log, 0L);
                damages.removeIf(each -> each.offset() >= synced);
            }
            if (damages.isEmpty()) return;
            Damage first = damages.getFirst();
            if (log.equals(METADATA))
                throw new IOException(
                        "bytes %d to %d of %s are damaged, and the broker's metadata are not complete without them. Nothing has been changed. Restore a backup of the data directory: docs/how-to/back-up.md"
                                .formatted(first.from(), first.to(), segment));
            Path copy = check.leaveOut(damages);
            for (Damage each : damages)
                LOG.error(
                        "Bytes {} to {} of {} are damaged, from offset {} on. They are left out; all records before and behind them are kept. A copy of the file is in {}.",
                        each.from(),
                        each.to(),
                        segment,
                        each.offset(),
                        copy);
        }
    }
}
