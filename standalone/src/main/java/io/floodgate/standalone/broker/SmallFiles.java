package io.floodgate.standalone.broker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.floodgate.standalone.broker.disk.SyncedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.PropertiesUtils;
import org.apache.kafka.raft.FileQuorumStateStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files of a broker beside its logs. Kafka ends when it cannot read one, also where it could make it again. */
final class SmallFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SmallFiles.class);
    /** A version, the number of lines, and the lines. */
    private static final Pattern CHECKPOINT = Pattern.compile("0\n(\\d+)\n((?:[^\n]+ \\d+\n)*)");

    private static final List<String> CHECKPOINTS = List.of(
            "recovery-point-offset-checkpoint",
            "log-start-offset-checkpoint",
            "replication-offset-checkpoint",
            "cleaner-offset-checkpoint",
            SyncedBroker.SYNCED_ENDS);

    private final Path directory;

    SmallFiles(Path directory) {
        this.directory = directory;
    }

    /** @param logs the directories of all logs */
    void check(List<Path> logs) throws IOException {
        checkProperties();
        for (String name : CHECKPOINTS) checkCheckpoint(directory.resolve(name));
        for (Path log : logs) {
            checkCheckpoint(log.resolve("leader-epoch-checkpoint"));
            checkQuorum(log.resolve("quorum-state"));
        }
        checkTopicIds(logs);
    }

    private void checkProperties() throws IOException {
        Path file = directory.resolve("meta.properties");
        if (!Files.exists(file)) return;
        try {
            new MetaProperties.Builder(PropertiesUtils.readPropertiesFile(file.toString())).build();
        } catch (RuntimeException damaged) {
            throw new IOException(
                    "%s is damaged (%s). Restore this file, or the data directory, from a backup: docs/how-to/back-up.md"
                            .formatted(file, damaged.getMessage()),
                    damaged);
        }
    }

    private static void checkCheckpoint(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) == 0) return;
        var found = CHECKPOINT.matcher(Files.readString(file, ISO_8859_1));
        boolean isRight = found.matches()
                && found.group(1).equals(Long.toString(found.group(2).lines().count()));
        if (!isRight) makeAgain(file);
    }

    /** There is one voter: it loses no vote by forgetting it. */
    private static void checkQuorum(Path file) throws IOException {
        if (!Files.exists(file)) return;
        try {
            var unused = new FileQuorumStateStore(file.toFile()).readElectionState();
        } catch (RuntimeException damaged) {
            makeAgain(file);
        }
    }

    private static void makeAgain(Path file) throws IOException {
        Path copy = Path.of(file + ".damaged");
        Utils.atomicMoveWithFallback(file, copy);
        LOG.warn("{} is damaged. It is made again; a copy is in {}.", file, copy);
    }

    /** A partition whose file has another id than its topic is taken for a stranger, and moved away. */
    private static void checkTopicIds(List<Path> logs) throws IOException {
        Map<String, List<Path>> topics = new HashMap<>();
        for (Path log : logs) {
            Path file = log.resolve("partition.metadata");
            String name = log.getFileName().toString();
            if (Files.exists(file))
                topics.computeIfAbsent(name.substring(0, name.lastIndexOf('-')), topic -> new ArrayList<>())
                        .add(file);
        }
        for (List<Path> files : topics.values()) {
            byte[] right = ofMost(files);
            for (Path file : files) {
                if (right.length == 0 || !isOneBitOff(Files.readAllBytes(file), right)) continue;
                Files.write(file, right);
                LOG.warn("A bit was flipped in {}. Other partitions of the topic say which one: it is repaired.", file);
            }
        }
    }

    /** Returns what is in more than half of the files; empty if nothing is. */
    private static byte[] ofMost(List<Path> files) throws IOException {
        Map<String, Integer> counts = new HashMap<>();
        for (Path file : files) counts.merge(Files.readString(file, ISO_8859_1), 1, Integer::sum);
        return counts.entrySet().stream()
                .filter(each -> each.getValue() * 2 > files.size())
                .map(each -> each.getKey().getBytes(US_ASCII))
                .findFirst()
                .orElse(new byte[0]);
    }

    private static boolean isOneBitOff(byte[] found, byte[] right) {
        if (found.length != right.length) return false;
        int bits = 0;
        for (int i = 0; i < right.length; i++) bits += Integer.bitCount((found[i] ^ right[i]) & 0xFF);
        return bits == 1;
    }
}
