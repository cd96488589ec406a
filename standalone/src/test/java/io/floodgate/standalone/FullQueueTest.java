package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unique jobs and a queue that is full: what they are answered, and what that costs the partitions. */
@Tag("server")
final class FullQueueTest {
    private static final int REJECTED = 200;

    @TempDir
    Path data;

    private static int enqueue(HttpApi http, String key, String onConflict) throws Exception {
        return http.statusOfPost(
                "/ojs/v1/jobs",
                "{\"type\":\"x\",\"args\":[\"%s\"],\"queue\":\"full\",\"unique\":{\"on_conflict\":\"%s\"}}"
                        .formatted(key, onConflict));
    }

    private static long commands(HttpApi http) throws Exception {
        return http.text("/metrics")
                .lines()
                .filter(line -> line.startsWith("floodgate_processor_commands_total"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void unique_jobs_without_a_duplicate_cost_it_little_and_all_others_are_answered_as_if_it_had_room()
            throws Exception {
        try (var running = new Running()) {
            var http = new HttpApi(
                    Standalone.start(StandaloneConfig.in(data), running).port());
            http.put("/ojs/v1/queues/full/config", "{\"backpressure\":{\"max_depth\":3,\"strategy\":\"reject\"}}");
            for (String key : new String[] {"a", "b", "c"})
                assertThat(enqueue(http, key, "reject")).isEqualTo(201);

            long before = commands(http);
            for (int i = 0; i < REJECTED; i++)
                assertThat(enqueue(http, "fresh" + i, "reject")).isEqualTo(429);
            // A question about each key, and a probe of the queue every 50 ms; to claim the keys, it would be four for
            // each job.
            assertThat(commands(http) - before).isLessThan(3 * REJECTED);

            assertThat(enqueue(http, "a", "reject")).isEqualTo(409);
            assertThat(enqueue(http, "a", "ignore")).isEqualTo(200);
            assertThat(enqueue(http, "a", "replace")).isEqualTo(201);
            assertThat(http.get("/ojs/v1/queues/full").text("/depth")).isEqualTo("3");
            String id = http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"full\"]}")
                    .text("/jobs/0/id");
            http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(id));
            assertThat(enqueue(http, "fresh", "reject")).isEqualTo(201);
            assertThat(enqueue(http, "fresh", "reject")).isEqualTo(409);
            assertThat(enqueue(http, "other", "reject")).isEqualTo(429);
        }
    }
}
