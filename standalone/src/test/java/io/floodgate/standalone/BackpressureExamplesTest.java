package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.standalone.Bash.Outcome;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Every example of OJS Backpressure, and of the page about it, as it stands there. */
@Tag("server")
final class BackpressureExamplesTest {
    private static final SpecExamples SPEC = SpecExamples.of("backpressure.md");
    private static final SpecExamples PAGE = SpecExamples.of("backpressure-page.md");

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int LARGEST_BATCH = 10_000;
    private static final String JSON_TYPE = "application/json";
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path directory;

    private static final Running RUNNING = new Running();
    private static int port;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws InterruptedException {
        port = Standalone.start(StandaloneConfig.in(directory.resolve("data")), RUNNING)
                .port();
    }

    @AfterAll
    static void stop() {
        RUNNING.close();
    }

    @BeforeEach
    void forget() throws Exception {
        // After 50,000 jobs, a busy machine may need more time for it than a request has.
        Eventually.until(
                "the test before is forgotten",
                () -> send("POST", "/ojs/v1/admin/reset", "").statusCode() == 200);
    }

    @Test
    void none_is_left_out() {
        assertThat(SPEC.sections())
                .containsExactly(
                        "5.2 Block",
                        "6.2 Configuration Format",
                        "7.1 Rejection Response",
                        "7.3 Warning Headers",
                        "9.2 Multi-Tenancy",
                        "13.1 Configuring a Bounded Queue",
                        "13.2 Producer Handling 429",
                        "13.3 Real-Time Notification Queue with Drop-Oldest");
        assertThat(PAGE.sections()).containsExactly("Bounded queues", "Rejection");
    }

    @Test
    void a_producer_waits_until_a_job_completes() throws Exception {
        configure("default", "{\"backpressure\":{\"max_depth\":1,\"strategy\":\"block\"}}");
        fill("default", 1);

        CompletableFuture<HttpResponse<String>> blocked =
                client.sendAsync(HttpExample.of(SPEC.in("5.2")).request(port, "default"), BodyHandlers.ofString());
        Eventually.until(
                "the producer waits", () -> queue("default").at("/blocked").asInt() == 1);
        assertThat(blocked).isNotDone();
        completeOne("default");

        HttpResponse<String> answer = blocked.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(JSON.readTree(answer.body()).at("/job/type").asString()).isEqualTo("report.generate");
    }

    @Test
    void a_producer_that_may_wait_is_not_kept_when_the_queue_rejects() throws Exception {
        configure("default", "{\"backpressure\":{\"max_depth\":1}}");
        fill("default", 1);

        HttpResponse<String> answer = send(HttpExample.of(SPEC.in("5.2")));

        assertThat(answer.statusCode()).isEqualTo(429);
    }

    @Test
    void warns_and_rejects_as_configured() throws Exception {
        JsonNode decided = JSON.readTree(HttpExample.of(SPEC.in("6.2")).body()).get("backpressure");
        HttpResponse<String> configured = send(HttpExample.of(SPEC.in("6.2")));
        assertThat(configured.statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(configured.body()).at("/config/backpressure")).isEqualTo(decided);

        fill("default", 41_999);
        HttpExample.of(SPEC.in("7.3")).isShownBy(enqueue("default"));

        fill("default", 8_000);
        HttpExample.of(SPEC.in("7.1")).isShownBy(enqueue("default"));
        assertThat(queue("default").at("/depth").asInt()).isEqualTo(50_000);
    }

    @Test
    void a_bounded_queue_is_configured_with_curl() throws Exception {
        assertThat(status(curl(SPEC.in("13.1")))).isEqualTo("200");

        JsonNode config = queue("email").at("/config/backpressure");
        assertThat(config.at("/max_depth").asInt()).isEqualTo(100_000);
        assertThat(config.at("/strategy").asString()).isEqualTo("reject");
        assertThat(config.at("/warning_threshold").asDouble()).isEqualTo(0.8);
    }

    /** Line by line what the example in TypeScript does, but that a worker is at work while it sleeps. */
    @Test
    void a_producer_that_handles_429_gets_its_job_in() throws Exception {
        assertThat(SPEC.in("13.2")).contains("'Retry-After') || '1'", "'application/openjobspec+json'", "attempt < 5");
        configure("default", "{\"backpressure\":{\"max_depth\":1}}");
        fill("default", 1);

        int attempt = 0;
        HttpResponse<String> answer = enqueue("default");
        while (answer.statusCode() != 201 && ++attempt < 5) {
            assertThat(answer.statusCode()).isEqualTo(429);
            int retryAfter =
                    Integer.parseInt(answer.headers().firstValue("Retry-After").orElse("1"));
            assertThat(retryAfter).isPositive();
            completeOne("default");
            answer = enqueue("default");
        }

        assertThat(attempt).isEqualTo(1);
        assertThat(answer.statusCode()).isEqualTo(201);
    }

    @Test
    void new_notifications_drop_the_oldest_ones() throws Exception {
        assertThat(status(curl(SPEC.in("13.3")))).isEqualTo("200");
        String oldest =
                JSON.readTree(enqueue("notifications").body()).at("/job/id").asString();
        fill("notifications", 9_999);

        assertThat(enqueue("notifications").statusCode()).isEqualTo(201);

        assertThat(queue("notifications").at("/depth").asInt()).isEqualTo(10_000);
        assertThat(queue("notifications").at("/dropped").asInt()).isEqualTo(1);
        JsonNode dropped =
                JSON.readTree(send("GET", "/ojs/v1/jobs/" + oldest, "").body());
        assertThat(dropped.at("/job/state").asString()).isEqualTo("discarded");
    }

    @Test
    void the_page_bounds_a_queue_and_rejects() throws Exception {
        HttpResponse<String> configured = send("PUT", "/ojs/v1/queues/notifications/config", PAGE.in("Bounded queues"));
        assertThat(configured.statusCode()).as(configured.body()).isEqualTo(200);
        assertThat(JSON.readTree(configured.body()).at("/config/capacity"))
                .isEqualTo(JSON.readTree(PAGE.in("Bounded queues")).get("capacity"));

        fill("notifications", 50_000);

        HttpExample.of(PAGE.in("Rejection")).isShownBy(enqueue("notifications"));
    }

    private static void completed(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private void configure(String queue, String config) throws Exception {
        completed(send("PUT", "/ojs/v1/admin/queues/%s/config".formatted(queue), config));
    }

    private void completeOne(String queue) throws Exception {
        HttpResponse<String> fetched = send("POST", "/ojs/v1/workers/fetch", "{\"queues\":[\"%s\"]}".formatted(queue));
        String id = JSON.readTree(fetched.body()).at("/jobs/0/id").asString();
        completed(send("POST", "/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(id)));
    }

    private void fill(String queue, int jobs) throws Exception {
        for (int left = jobs; left > 0; left -= LARGEST_BATCH) {
            List<String> batch = Collections.nCopies(Math.min(left, LARGEST_BATCH), job(queue));
            HttpResponse<String> answer =
                    send("POST", "/ojs/v1/jobs/batch", "{\"jobs\":[%s]}".formatted(String.join(",", batch)));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        }
    }

    private HttpResponse<String> enqueue(String queue) throws Exception {
        return send("POST", "/ojs/v1/jobs", job(queue));
    }

    private static String job(String queue) {
        return "{\"type\":\"example.run\",\"args\":[],\"options\":{\"queue\":\"%s\"}}".formatted(queue);
    }

    private JsonNode queue(String name) throws Exception {
        return JSON.readTree(send("GET", "/ojs/v1/queues/" + name, "").body());
    }

    private HttpResponse<String> send(HttpExample example) throws Exception {
        return client.send(example.request(port, "default"), BodyHandlers.ofString());
    }

    private HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .header("Content-Type", JSON_TYPE)
                .method(method, BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /** Pastes it into a shell in which curl prints the status behind the answer. */
    private static Outcome curl(String commands) throws Exception {
        try (var bash = Bash.in(Files.createTempDirectory(directory, "reader"))) {
            return bash.run(
                    "curl() { command curl -s -w '\\n%{http_code}\\n' \"$@\"; }\n"
                            + commands.replace("localhost:8080", "127.0.0.1:" + port),
                    PATIENCE);
        }
    }

    private static String status(Outcome outcome) {
        return outcome.printed().getLast();
    }
}
