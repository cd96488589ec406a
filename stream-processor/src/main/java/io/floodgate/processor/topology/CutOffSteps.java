package io.floodgate.processor.topology;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.floodgate.topics.PartitionId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The steps that were cut off, in a file beside the stores: whatever happens, they are not tried again. */
final class CutOffSteps {
    /** Older ones are committed long since. */
    private static final int MAX_KEPT = 1_000;

    private final Path file;
    private final Set<String> lines = ConcurrentHashMap.newKeySet();

    CutOffSteps(Path directory) {
        file = directory.resolve("cut-off-steps");
        try {
            if (!Files.exists(file)) return;
            List<String> all = Files.readAllLines(file, US_ASCII);
            lines.addAll(all.subList(Math.max(0, all.size() - MAX_KEPT), all.size()));
        } catch (IOException e) {
            throw new UncheckedIOException("The steps that were cut off could not be read from " + file, e);
        }
    }

    /** @param topicId offsets begin again in a topic that is deleted and made again */
    boolean has(String topicId, PartitionId partition, long offset, int step) {
        return !lines.isEmpty() && lines.contains(line(topicId, partition, offset, step));
    }

    /** Adds a step, which is on disk when this returns. */
    void add(String topicId, PartitionId partition, long offset, int step) {
        String line = line(topicId, partition, offset, step);
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            ByteBuffer bytes = US_ASCII.encode(line + "\n");
            while (bytes.hasRemaining()) out.write(bytes);
            out.force(true);
        } catch (IOException e) {
            throw new UncheckedIOException("The step that was cut off could not be written to " + file, e);
        } finally {
            lines.add(line);
        }
    }

    private static String line(String topicId, PartitionId partition, long offset, int step) {
        return "%s %s %d %d".formatted(topicId, partition, offset, step);
    }
}
