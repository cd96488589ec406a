package io.floodgate.gateway.http;

import static io.floodgate.gateway.TestApi.LARGE;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LargeRequestTest extends GatewayFixture {
    private static final String BATCH = "/ojs/v1/jobs/batch";
    private static final String JOB = "{\"type\":\"a\",\"args\":[\"%s\"]}";
    private static final String LARGE_BATCH = "{\"jobs\":[" + JOB.formatted("y".repeat(LARGE)) + "]}";
    private static final Reply DONE =
            FakePartitions.done("{\"queue\":\"default\",\"state\":\"available\",\"attempt\":0}");

    private CompletableFuture<Reply> firstBatch = new CompletableFuture<>();

    /** Batches are answered when the test says so, all else at once. */
    @BeforeEach
    void answerBatchesLater() {
        firstBatch = new CompletableFuture<>();
        logs.answerLater(
                sent -> sent.command() instanceof EnqueueBatch ? firstBatch : CompletableFuture.completedFuture(DONE));
    }

    @AfterEach
    void everythingIsGivenBack() {
        firstBatch.complete(DONE);
        await(() -> given.memory.taken() == 0);
    }

    @Test
    void beside_another_is_rejected_until_that_one_is_answered() throws IOException {
        try (RawHttp first = new RawHttp(port());
                RawHttp second = new RawHttp(port())) {
            first.request("POST", BATCH, LARGE_BATCH);
            await(() -> logs.sent().size() == 1);

            RawHttp.Response rejected =
                    second.request("POST", BATCH, LARGE_BATCH).read();
            assertThat(rejected.status()).isEqualTo(503);
            assertThat(rejected.has("Retry-After: 1")).isTrue();
            var error = Json.MAPPER.readTree(rejected.body()).get("error");
            assertThat(error.get("code").stringValue()).isEqualTo("BACKEND_UNAVAILABLE");
            assertThat(error.get("retryable").booleanValue()).isTrue();
            assertThat(error.get("message").stringValue()).contains("no memory", "Nothing was done");
            assertThat(error.at("/details/outcome").stringValue()).isEqualTo("not_executed");
            assertThat(logs.sent()).hasSize(1);

            firstBatch.complete(DONE);
            assertThat(first.read().status()).isEqualTo(201);
            // The same thread serves what comes next, so that it has given back by then what the first took.
            assertThat(first.request("POST", BATCH, LARGE_BATCH).read().status())
                    .isEqualTo(201);
            await(() -> given.memory.taken() == 0);
            assertThat(second.request("POST", BATCH, LARGE_BATCH).read().status())
                    .isEqualTo(201);
        }
    }

    @Test
    void in_chunks_is_rejected_when_it_outgrows_the_room() throws IOException {
        try (RawHttp first = new RawHttp(port());
                RawHttp second = new RawHttp(port())) {
            first.request("POST", BATCH, LARGE_BATCH);
            await(() -> logs.sent().size() == 1);

            second.send(
                    "POST " + BATCH
                            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            second.send(chunk(LARGE_BATCH.substring(0, 300_000)));
            second.send(chunk(LARGE_BATCH.substring(300_000)) + "0\r\n\r\n");
            assertThat(second.read().status()).isEqualTo(503);
            assertThat(logs.sent()).hasSize(1);
            assertThat(second.request("GET", "/ojs/manifest", "").read().status())
                    .isEqualTo(200);

            firstBatch.complete(DONE);
            assertThat(first.read().status()).isEqualTo(201);
            await(() -> given.memory.taken() == 0);
            second.send(
                    "POST " + BATCH
                            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
            assertThat(second.send(chunk(LARGE_BATCH) + "0\r\n\r\n").read().status())
                    .isEqualTo(201);
        }
    }

    @Test
    void that_asks_before_it_sends_its_body_is_rejected_and_cut_off() throws IOException {
        try (RawHttp first = new RawHttp(port());
                RawHttp second = new RawHttp(port())) {
            first.request("POST", BATCH, LARGE_BATCH);
            await(() -> logs.sent().size() == 1);

            second.send(
                    "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
                            .formatted(BATCH, LARGE_BATCH.length()));
            RawHttp.Response rejected = second.read();
            assertThat(rejected.status()).isEqualTo(503);
            assertThat(rejected.has("Connection: close")).isTrue();
            assertThat(second.isClosed()).isTrue();
        }
    }

    @Test
    void that_asks_before_it_sends_its_body_is_directed_to_go_on_when_there_is_room() throws IOException {
        firstBatch.complete(DONE);
        try (RawHttp http = new RawHttp(port())) {
            http.send(
                    "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n"
                            .formatted(BATCH, LARGE_BATCH.length()));
            assertThat(http.read().status()).isEqualTo(100);
            assertThat(http.send(LARGE_BATCH).read().status()).isEqualTo(201);
            assertThat(http.request("GET", "/ojs/manifest", "").read().status()).isEqualTo(200);
        }
    }

    @Test
    void keeps_no_small_one_out() throws IOException {
        try (RawHttp first = new RawHttp(port())) {
            first.request("POST", BATCH, LARGE_BATCH);
            await(() -> logs.sent().size() == 1);

            post("/ojs/v1/jobs", JOB.formatted("y".repeat(60_000))).answers(201);
            assertThat(logs.sent().get(1).command()).isInstanceOf(Enqueue.class);
        }
    }

    @Test
    void keeps_no_completion_out_however_large_its_result() throws IOException {
        try (RawHttp first = new RawHttp(port())) {
            first.request("POST", BATCH, LARGE_BATCH);
            await(() -> logs.sent().size() == 1);

            post(
                            "/ojs/v1/workers/ack",
                            "{\"job_id\":\"019539a4-b68c-7def-8000-1a2b3c4d5e6f\",\"result\":\"" + "y".repeat(LARGE)
                                    + "\"}")
                    .answers(200);
            assertThat(logs.sent().get(1).command()).isInstanceOf(Ack.class);
        }
    }

    @Test
    void gives_back_its_room_when_it_is_rejected() {
        post(BATCH, "[" + "1,".repeat(LARGE / 2) + "1]").answers(400);

        await(() -> given.memory.taken() == 0);
    }

    @Test
    void takes_nothing_for_what_is_only_announced() throws IOException {
        List<RawHttp> slow = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            // Fetches, which were let in whatever they announced, as well as jobs.
            String path = i % 2 == 0 ? "/ojs/v1/workers/fetch" : "/ojs/v1/jobs";
            RawHttp http = new RawHttp(port());
            http.send(("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Content-Length: 1000000\r\n\r\n{")
                    .formatted(path));
            slow.add(http);
        }
        await(() -> given.memory.taken() == 20 * 16 * 1024);

        firstBatch.complete(DONE);
        post(BATCH, LARGE_BATCH).answers(201);

        for (RawHttp http : slow) http.close();
        await(() -> given.memory.taken() == 0);
    }

    @Test
    void that_is_small_is_counted_too() throws IOException {
        try (RawHttp first = new RawHttp(port());
                RawHttp second = new RawHttp(port())) {
            first.request("POST", "/ojs/v1/jobs", JOB.formatted("y".repeat(1_000)));
            second.request("POST", BATCH, "{\"jobs\":[" + JOB.formatted("y".repeat(10_000)) + "]}");

            await(() -> given.memory.taken() > 10_000);
        }
    }

    @Test
    void is_counted_with_what_is_made_of_it_for_as_long_as_it_waits() throws IOException {
        logs.answerLater(sent -> new CompletableFuture<>());
        String names =
                IntStream.range(0, 500).mapToObj("\"queue-%d\""::formatted).collect(joining(","));
        String fetch = "{\"queues\":[%s],\"wait_ms\":60000}".formatted(names);
        try (RawHttp http = new RawHttp(port())) {
            http.request("POST", "/ojs/v1/workers/fetch", fetch);
            await(() -> !logs.sent().isEmpty());
            // Of each character four bytes more, and of each name 64.
            assertThat(given.memory.taken()).isEqualTo(5L * fetch.length() + 64 * 500);
        }
        await(() -> given.memory.taken() == 0);
    }

    @Test
    void gives_back_its_room_when_its_caller_leaves() throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send(
                    "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{"
                            .formatted(BATCH, LARGE));
            await(() -> given.memory.taken() > 0);
        }
        await(() -> given.memory.taken() == 0);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void gives_back_its_room_when_it_comes_too_slowly() throws IOException {
        try (RawHttp http = new RawHttp(port())) {
            http.send(
                    "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{"
                            .formatted(BATCH, LARGE));
            await(() -> given.memory.taken() > 0);

            await(() -> {
                passForCallers(SENDING.plusSeconds(1));
                return http.isAnswered();
            });
            assertThat(http.read().status()).isEqualTo(408);
            await(() -> given.memory.taken() == 0);
        }
    }

    @Test
    void gives_back_its_room_when_handling_it_fails() {
        logs.answerLater(sent -> {
            throw new IllegalStateException("as the test wants it");
        });

        post(BATCH, LARGE_BATCH).answers(500);

        await(() -> given.memory.taken() == 0);
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }
}
