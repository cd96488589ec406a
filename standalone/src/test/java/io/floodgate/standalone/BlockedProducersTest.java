package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Producers that wait for room over HTTP, from end to end. */
@Tag("server")
final class BlockedProducersTest {
    private static final String JOB = "{\"type\":\"report.generate\",\"args\":[],\"options\":{\"queue\":\"tight\"}}";

    @TempDir
    Path data;

    @Test
    void who_waits_is_shown_and_who_hangs_up_leaves_nothing() throws Exception {
        try (var running = new Running();
                var client = HttpClient.newHttpClient()) {
            int port = Standalone.start(StandaloneConfig.in(data), running).port();
            var http = new HttpApi(port);
            http.put("/ojs/v1/queues/tight/config", "{\"max_size\":1,\"overflow_policy\":\"block\"}");
            http.post("/ojs/v1/jobs", JOB);
            HttpRequest patient = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/ojs/v1/jobs".formatted(port)))
                    .header("Content-Type", "application/json")
                    .header("OJS-Block-Timeout", "50")
                    .POST(BodyPublishers.ofString(JOB))
                    .build();

            CompletableFuture<HttpResponse<String>> waiting = client.sendAsync(patient, BodyHandlers.ofString());
            Eventually.until("it waits", () -> blocked(http).equals("1"));
            says(http, "level", "full");
            // Nothing leaves: when there will be room is not known.
            says(http, "room_in_seconds", "");
            assertThat(http.get("/ojs/v1/queues/tight/stats").text("/stats/blocked_since"))
                    .isNotEmpty();
            assertThat(waiting.cancel(true)).isTrue();

            Eventually.until("it does not any more", () -> blocked(http).equals("0"));
            String id = http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"tight\"]}")
                    .text("/jobs/0/id");
            http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(id));
            assertThat(http.get("/ojs/v1/queues/tight").text("/depth")).isEqualTo("0");
        }
    }

    /** What an operator wants to know stands in the queue and in its stats. */
    private static void says(HttpApi http, String figure, String value) throws Exception {
        assertThat(http.get("/ojs/v1/queues/tight").text("/" + figure)).isEqualTo(value);
        assertThat(http.get("/ojs/v1/queues/tight/stats").text("/stats/" + figure))
                .isEqualTo(value);
    }

    private static String blocked(HttpApi http) throws Exception {
        return http.get("/ojs/v1/queues/tight").text("/blocked");
    }
}
