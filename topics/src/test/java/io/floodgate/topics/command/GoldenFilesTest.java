package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * What stands in the partitions of running clusters. During an upgrade one version reads what another wrote: a file that no
 * longer fits means that the form of a command has changed. {@code -Dgolden.write} writes the files again.
 */
class GoldenFilesTest {
    private static final Path FILES = Path.of("src", "test", "resources", "golden");

    /** What is in each file: the header of the operation, and the value. */
    private static Map<String, byte[]> expected() {
        Map<String, byte[]> files = new TreeMap<>();
        Samples.commands().forEach((name, command) -> {
            CommandCodec.Encoded encoded = CommandCodec.encode(command);
            files.put(
                    "command-" + name + ".json",
                    JsonOut.object()
                            .field("op", encoded.op())
                            .fieldRaw("value", encoded.value())
                            .endObject()
                            .toBytes());
        });
        Samples.rejections()
                .forEach((name, rejection) -> files.put("rejection-" + name + ".json", Reply.write(rejection)));
        return files;
    }

    private static byte[] pretty(byte[] json) {
        return (Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(Json.tree(json)) + "\n")
                .getBytes(UTF_8);
    }

    private static Set<String> present() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            return new TreeSet<>(
                    files.map(file -> file.getFileName().toString()).toList());
        }
    }

    @Test
    void every_command_and_rejection_is_written_as_it_always_was() throws IOException {
        if (System.getProperty("golden.write") != null) write();
        assertThat(present()).isEqualTo(expected().keySet());
        for (var entry : expected().entrySet())
            assertThat(Json.tree(entry.getValue()))
                    .as(entry.getKey())
                    .isEqualTo(Json.tree(Files.readAllBytes(FILES.resolve(entry.getKey()))));
    }

    @Test
    void every_file_is_read_as_the_command_or_rejection_it_was() throws Exception {
        for (var entry : Samples.commands().entrySet()) {
            JsonNode file = Json.tree(Files.readAllBytes(FILES.resolve("command-" + entry.getKey() + ".json")));
            CommandCodec.Encoded read = CommandCodec.encode(
                    CommandCodec.decode(file.get("op").stringValue(), Json.bytes(file.get("value"))));
            CommandCodec.Encoded sample = CommandCodec.encode(entry.getValue());
            assertThat(read.op()).isEqualTo(sample.op());
            assertThat(Json.tree(read.value())).as(entry.getKey()).isEqualTo(Json.tree(sample.value()));
        }
        for (var entry : Samples.rejections().entrySet()) {
            byte[] file = Files.readAllBytes(FILES.resolve("rejection-" + entry.getKey() + ".json"));
            assertThat(Json.tree(Reply.write(Reply.readRejection(file)))).isEqualTo(Json.tree(file));
            assertThat(Reply.readRejection(file).code())
                    .isEqualTo(entry.getValue().code());
        }
    }

    private static void write() throws IOException {
        Files.createDirectories(FILES);
        for (String stale : present()) Files.delete(FILES.resolve(stale));
        for (var entry : expected().entrySet()) Files.write(FILES.resolve(entry.getKey()), pretty(entry.getValue()));
    }
}
