package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A server on which much is wrong at once: the first lines of {@code floodgate status} name all of it. */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BadShapeTest {
    private static final int QUEUES = 500;
    private static final int DEAD = 20;
    private static final int FIRST_LINES = 10;

    private Running running;
    private HttpApi http;
    private int port;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        running = new Running();
        port = Standalone.start(StandaloneConfig.in(data), running).port();
        http = new HttpApi(port);
    }

    @AfterAll
    void stop() {
        running.close();
    }

    private void enqueue(IntStream numbers, String queue, String options) throws Exception {
        String jobs = numbers.mapToObj(i -> "{\"type\":\"t.%s\",\"args\":[],\"options\":{\"queue\":\"%s\"%s}}"
                        .formatted(queue, queue.replace("#", "" + i), options)
                        .replace("t.idle#", "t.idle"))
                .collect(Collectors.joining(","));
        http.post("/ojs/v1/jobs/batch", "{\"jobs\":[" + jobs + "]}");
    }

    /** Fetches and fails as many jobs of the queue, for good. */
    private void fail(String queue, int jobs) throws Exception {
        int[] left = {jobs};
        Eventually.until("the jobs have failed", () -> {
            var fetched = http.post(
                            "/ojs/v1/workers/fetch",
                            "{\"queues\":[\"%s\"],\"worker_id\":\"w1\",\"count\":50}".formatted(queue))
                    .body()
                    .at("/jobs");
            for (var job : fetched)
                http.post(
                        "/ojs/v1/workers/nack",
                        "{\"job_id\":\"%s\",\"worker_id\":\"w1\",\"error\":{\"code\":\"Broken\",\"message\":\"no\",\"retryable\":false}}"
                                .formatted(job.at("/id").asString()));
            left[0] -= fetched.size();
            return left[0] == 0;
        });
    }

    private String status() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            Floodgate.run(List.of("status", "--url", "http://localhost:" + port), Map.of());
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8).lines().limit(FIRST_LINES).collect(Collectors.joining("\n"));
    }

    @Test
    void each_thing_that_is_wrong_is_named_in_the_first_lines() throws Exception {
        http.post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"lost-1\",\"active_jobs\":[]}");
        http.post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"left-1\",\"state\":\"terminate\",\"active_jobs\":[]}");
        for (int from = 0; from < QUEUES; from += 100) enqueue(IntStream.range(from, from + 100), "idle#", "");
        enqueue(IntStream.range(0, DEAD), "letters", ",\"retry\":{\"max_attempts\":1}");
        fail("letters", DEAD);
        http.put("/ojs/v1/queues/drops/config", "{\"max_size\":2,\"overflow_policy\":\"drop_oldest\"}");
        for (int i = 0; i < 5; i++) enqueue(IntStream.of(i), "drops", "");
        http.post(
                "/ojs/v1/cron",
                "{\"name\":\"nightly\",\"expression\":\"0 3 1 1 *\",\"job_template\":{\"type\":\"export\",\"args\":[],\"options\":{\"queue\":\"exports\"}}}");
        for (int run = 0; run < 3; run++) {
            http.post("/ojs/v1/cron/nightly/trigger", "{}");
            fail("exports", 1);
        }
        String flow = http.post(
                        "/ojs/v1/workflows",
                        "{\"type\":\"chain\",\"steps\":[{\"type\":\"flow.a\",\"args\":[],\"options\":{\"queue\":\"flows\",\"retry\":{\"max_attempts\":1}}}]}")
                .text("/id");
        fail("flows", 1);

        Eventually.until("the worker that fell silent is lost", () -> status().contains("worker lost-1: "));

        assertThat(status())
                .contains(
                        "queue drops: Queue 'drops' drops jobs: 3",
                        "queue letters: Queue 'letters' has 20 dead letters",
                        "queue letters: 100% of the last 20 runs of queue 'letters' failed",
                        "schedule nightly: ",
                        "workflow %s: ".formatted(flow),
                        "queues: nobody fetches")
                .doesNotContain("left-1", "queue idle");
        assertThat(http.get("/ojs/v1/admin/overview")
                        .body()
                        .at("/more_problems")
                        .asLong())
                .isZero();
    }
}
