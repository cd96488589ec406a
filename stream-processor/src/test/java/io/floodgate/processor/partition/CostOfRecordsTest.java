package io.floodgate.processor.partition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.TestPartition;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A job of a plain Kafka producer is executed in linear time, whatever stands in its fields: no gateway has looked at it before. */
class CostOfRecordsTest {
    private static final int BYTES = 900_000;
    private static final long LIMIT_NANOS = 1_000_000_000;
    private static final int ATTEMPTS = 3;
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

    private static Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        for (String unit : TEXTS) {
            String text = '"' + unit.repeat(BYTES / unit.getBytes(UTF_8).length) + '"';
            values.put("text of " + unit, text);
            values.put("list of a text of " + unit, '[' + text + ']');
            values.put("object of a text of " + unit, "{\"keys\":[\"args\"],\"max_attempts\":" + text + "}");
        }
        values.put("a number of many digits", "1" + "0".repeat(BYTES));
        values.put("a number with a large exponent", "1e999999999");
        values.put("nested arrays", "[".repeat(BYTES / 2) + "]".repeat(BYTES / 2));
        values.put("many numbers", "[" + "1,".repeat(BYTES / 2) + "1]");
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
        Map<String, String> values = values();
        for (String field : FIELDS) {
            TestPartition log = new TestPartition().unaudited();
            values.forEach((kind, value) -> {
                byte[] job = job(field, value).getBytes(UTF_8);
                long best = Long.MAX_VALUE;
                for (int attempt = 0; attempt < ATTEMPTS && best > LIMIT_NANOS; attempt++) {
                    long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                    log.receivesRaw(null, job);
                    best = Math.min(best, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun);
                }
                if (best > LIMIT_NANOS) slow.put(field + ": " + kind, best / 1_000_000);
            });
        }
        assertThat(slow).isEmpty();
    }
}
