package io.floodgate.processor.partition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A job or command of a Kafka client is executed in linear time, whatever stands in its fields: no gateway has looked at it before. */
class CostOfRecordsTest {
    private static final int BYTES = 900_000;
    private static final long LIMIT_NANOS = 1_000_000_000;
    /** There are many commands: less of each, in less time. */
    private static final int COMMAND_BYTES = 100_000;

    private static final long COMMAND_LIMIT_NANOS = 100_000_000;
    private static final Path COMMANDS = Path.of("..", "topics", "src", "test", "resources", "golden");
    private static final int ATTEMPTS = 3;
    /** The gate has less time: it tries all that a place is tried with, but each at a third of the places of commands. */
    private static final boolean SOME = Double.parseDouble(System.getProperty("search.effort", "1")) < 1;

    private static final String HERE = "@here@";
    private static final List<String> FIELDS = List.of(
            "type",
            "queue",
            "id",
            "args",
            "meta",
            "version",
            "scheduled_at",
            "expires_at",
            "timeout_ms",
            "retry",
            "unique",
            "rate_limit",
            "on_worker_lost",
            "tags",
            "options",
            "priority",
            "specversion",
            "unknown");
    private static final List<String> TEXTS =
            List.of("\u0316\u0301", "9", "a", "*a", "?", "\\\\", "\\ud800", "[", "a,", "1.", " ", "/");

    private static Map<String, String> values(int bytes) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String unit : TEXTS) {
            String text = '"' + unit.repeat(bytes / unit.getBytes(UTF_8).length) + '"';
            values.put("text of " + unit, text);
            values.put("list of a text of " + unit, '[' + text + ']');
            values.put("object of a text of " + unit, "{\"keys\":[\"args\"],\"max_attempts\":" + text + "}");
        }
        values.put("a number of many digits", "1" + "0".repeat(bytes));
        values.put("a number with a large exponent", "1e999999999");
        values.put("nested arrays", "[".repeat(bytes / 2) + "]".repeat(bytes / 2));
        values.put("many numbers", "[" + "1,".repeat(bytes / 2) + "1]");
        return values;
    }

    private static String job(String field, String value) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("type", "\"a\"");
        members.put("queue", "\"a\"");
        members.put("args", "[]");
        members.put("unique", "{\"keys\":[\"args\"]}");
        members.put(field, value);
        StringBuilder json = new StringBuilder("{");
        members.forEach((name, each) -> json.append(json.length() == 1 ? "" : ",")
                .append('"')
                .append(name)
                .append("\":")
                .append(each));
        return json.append('}').toString();
    }

    @Test
    void no_field_of_a_job_takes_a_second_of_processor_time() {
        Map<String, Long> slow = new TreeMap<>();
        Map<String, String> values = values(BYTES);
        for (String field : FIELDS) {
            TestPartition log = new TestPartition().unaudited();
            values.forEach((kind, value) -> {
                byte[] job = job(field, value).getBytes(UTF_8);
                measure(field + ": " + kind, LIMIT_NANOS, () -> log.receivesRaw(null, job), slow);
            });
        }
        assertThat(slow).isEmpty();
    }

    private static void measure(String what, long limit, Runnable record, Map<String, Long> slow) {
        long best = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && best > limit; attempt++) {
            long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            record.run();
            best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun);
        }
        if (best > limit) slow.put(what, best / 1_000_000);
    }

    /** The document with a mark in place of each of its values, by the place. */
    private static void places(JsonNode node, String path, JsonNode document, Map<String, String> all) {
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            JsonNode copy = document.deepCopy();
            ((ObjectNode) copy.at(path)).put(member.getKey(), HERE);
            all.put(path + "/" + member.getKey(), new String(Json.bytes(copy), UTF_8));
            places(member.getValue(), path + "/" + member.getKey(), document, all);
        }
        for (int i = 0; i < node.size() && node.isArray(); i++) places(node.get(i), path + "/" + i, document, all);
    }

    @Test
    void no_field_of_a_command_takes_long() throws IOException {
        Map<String, Long> slow = new TreeMap<>();
        Map<String, String> values = values(COMMAND_BYTES);
        values.keySet().removeIf(kind -> kind.startsWith("list") || kind.startsWith("object"));
        List<Path> files;
        try (Stream<Path> all = Files.list(COMMANDS)) {
            files = all.filter(file -> file.getFileName().toString().startsWith("command-"))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(100);
        int tried = 0;
        for (Path file : files) {
            JsonNode command = Json.tree(Files.readAllBytes(file));
            String op = command.get("op").stringValue();
            Map<String, String> places = new TreeMap<>();
            places.put("", '"' + HERE + '"');
            places(command.get("value"), "", command.get("value"), places);
            TestPartition log = new TestPartition().unaudited();
            for (Map.Entry<String, String> document : places.entrySet()) {
                int turn = tried++;
                for (Map.Entry<String, String> value : values.entrySet()) {
                    if (SOME && turn++ % 3 > 0) continue;
                    byte[] record = document.getValue()
                            .replace('"' + HERE + '"', value.getValue())
                            .getBytes(UTF_8);
                    String what = "%s %s: %s".formatted(file.getFileName(), document.getKey(), value.getKey());
                    measure(what, COMMAND_LIMIT_NANOS, () -> log.receivesRaw(op, record), slow);
                }
            }
        }
        assertThat(slow).isEmpty();
    }
}
