package io.floodgate.gateway.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.memory.MemoryBudget.MemoryClass;
import io.floodgate.topics.client.TooManyInFlight;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.command.WorkerCommand.Beat;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String JOB = "{\"id\":\"" + ID
            + "\",\"type\":\"a\",\"args\":[],\"state\":\"%s\",\"attempt\":1,\"max_attempts\":3,\"job\":7%s}";

    @BeforeEach
    void noWorkerHasDeclaredVersions() {
        logs.haveNoWorkers();
    }

    @Test
    void of_an_sdk_counts_as_the_first_heartbeat_of_its_worker() {
        logs.answer(command -> FakePartitions.done());
        // As the SDKs for Go, Java, Python and Rust send it.
        String asked = "{\"queues\":[\"a\"],\"count\":5,\"worker_id\":\"worker_1\"}";
        for (int i = 0; i < 2; i++) post("/ojs/v1/workers/fetch", asked, "OJS-Version", "1.0");

        List<Beat> beats = sentBeats();
        assertThat(beats).hasSize(1);
        assertThat(beats.getFirst().worker()).isEqualTo("worker_1");
        assertThat(beats.getFirst().about()).asString().isEqualTo("{\"queues\":[\"a\"]}");
    }

    @Test
    void of_a_client_that_may_send_no_heartbeats_counts_as_none() {
        logs.answer(command -> FakePartitions.done());
        String worker = "{\"queues\":[\"a\"],\"worker_id\":\"w1\"%s}";
        post("/ojs/v1/workers/fetch", worker.formatted(""));
        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"]}", "OJS-Version", "1.0");
        for (String own : List.of(",\"visibility_timeout_ms\":600000", ",\"wait_ms\":0"))
            post("/ojs/v1/workers/fetch", worker.formatted(own), "OJS-Version", "1.0");
        assertThat(sentBeats()).isEmpty();
    }

    private List<Beat> sentBeats() {
        return logs.sent().stream()
                .map(FakePartitions.Sent::command)
                .filter(Beat.class::isInstance)
                .map(Beat.class::cast)
                .toList();
    }

    @Test
    void fetch_hands_out_what_the_log_gave() {
        logs.answer("{\"id\":\"1\"}", "{\"id\":\"2\"}");

        Got got = post(
                "/ojs/v1/workers/fetch",
                "{\"queues\":[\"a\"],\"count\":500,\"worker_id\":\"w1\",\"visibility_timeout_ms\":30000}");

        got.answers(200);
        assertThat(got.body()).isEqualTo("{\"jobs\":[{\"id\":\"1\"},{\"id\":\"2\"}]}");
        assertThat(logs.theCommand(Fetch.class))
                .isEqualTo(new Fetch(List.of("a"), 100, "w1", Duration.ofSeconds(30), Duration.ZERO));
    }

    @Test
    void fetch_names_types_that_it_wants_or_does_not_want() {
        logs.answer(command -> FakePartitions.done());

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"types\":[\"email.send\",\"sms\"]}");
        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"exclude_types\":[\"email.send\"]}");
        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"exclude_types\":[]}");

        assertThat(logs.sent())
                .extracting(sent -> ((Fetch) sent.command()).types())
                .containsExactly(
                        WantedJobs.only(List.of("email.send", "sms")),
                        WantedJobs.allBut(List.of("email.send")),
                        WantedJobs.ALL);
    }

    @Test
    void a_fetch_names_tenants_in_its_body_or_one_in_a_header() {
        logs.answer(command -> FakePartitions.done());

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"tenants\":[\"beta\",\"_default\"]}");
        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"types\":[\"sms\"]}", "X-OJS-Tenant", "acme");
        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"tenants\":[\"acme\"]}", "X-OJS-Tenant", "acme");

        assertThat(logs.sent())
                .extracting(sent -> ((Fetch) sent.command()).types())
                .containsExactly(
                        WantedJobs.ALL.ofTenants(List.of("beta", "_default")),
                        WantedJobs.only(List.of("sms")).ofTenants(List.of("acme")),
                        WantedJobs.ALL.ofTenants(List.of("acme")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"acme\"", "[7]", "[\"-\"]", "[\"*\"]", "[\"\"]", "[\"beta\"]"})
    void tenants_that_make_no_sense_are_rejected(String tenants) {
        Got got = post(
                "/ojs/v1/workers/fetch",
                "{\"queues\":[\"a\"],\"tenants\":%s}".formatted(tenants),
                "X-OJS-Tenant",
                "acme");

        got.answers(400, "{'error':{'code':'invalid_request'}}");
        assertThat(got.body()).contains("tenants");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void more_pairs_of_tenants_and_queues_than_a_fetch_can_have_are_rejected() {
        String tenants = String.join(",", Collections.nCopies(50, "\"t%d\"")).formatted(numbers(50));
        String queues = String.join(",", Collections.nCopies(21, "\"q%d\"")).formatted(numbers(21));

        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[%s],\"tenants\":[%s]}".formatted(queues, tenants));

        got.answers(400);
        assertThat(got.body()).contains("1000 pairs");
    }

    private static Object[] numbers(int count) {
        return java.util.stream.IntStream.range(0, count).boxed().toArray();
    }

    @Test
    void a_fetch_that_finds_no_room_to_wait_gets_the_jobs_that_are_there() {
        logs.answerLater(sent -> ((Fetch) sent.command()).maxWait().isZero()
                ? CompletableFuture.completedFuture(FakePartitions.done("{\"id\":\"1\"}"))
                : CompletableFuture.failedFuture(new TooManyInFlight()));

        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"wait_ms\":10000}");

        got.answers(200);
        assertThat(got.body()).isEqualTo("{\"jobs\":[{\"id\":\"1\"}]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"types\":[]",
                "\"types\":\"email.send\"",
                "\"types\":[7]",
                "\"types\":[\"Not a type\"]",
                "\"types\":[\"a\"],\"exclude_types\":[\"b\"]",
                "\"exclude_types\":[\"\"]"
            })
    void types_that_make_no_sense_are_rejected(String member) {
        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],%s}".formatted(member));

        got.answers(400);
        assertThat(got.body()).contains("types");
    }

    @Test
    void more_types_than_a_fetch_can_name_are_rejected() {
        String types = String.join(",", Collections.nCopies(101, "\"a\""));

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"types\":[%s]}".formatted(types))
                .answers(400);
    }

    @Test
    void fetch_comes_back_empty_handed() {
        logs.answer(command -> FakePartitions.done());

        assertThat(post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"]}").body()).isEqualTo("{\"jobs\":[]}");
    }

    @Test
    void fetch_comes_back_empty_handed_when_the_gateway_is_full() {
        logs.fail(new TooManyInFlight());

        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"]}");

        got.answers(200);
        assertThat(got.body()).isEqualTo("{\"jobs\":[]}");
    }

    @Test
    void fetch_names_its_worker_in_characters_that_can_be_stored() {
        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"worker_id\":\"w\\ud800\"}");

        got.answers(400, "{'error':{'details':{'field':'worker_id'}}}");
    }

    @Test
    void fetch_waits_in_the_log_but_only_for_a_turn_at_a_time() {
        logs.answer("{\"id\":\"1\"}");

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"wait_ms\":900000}");

        // What is left of the request's time is taken from a real clock.
        assertThat(logs.theCommand(Fetch.class).maxWait()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void fetch_that_waits_no_longer_than_a_turn_asks_once() {
        logs.answer(command -> FakePartitions.done());

        assertThat(post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"wait_ms\":1000}")
                        .body())
                .isEqualTo("{\"jobs\":[]}");
        assertThat(logs.theCommand(Fetch.class).maxWait()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void fetch_is_withdrawn_as_soon_as_its_caller_has_left() throws Exception {
        CompletableFuture<Reply> coming = new CompletableFuture<>();
        logs.answerLater(sent -> coming);
        String body = "{\"queues\":[\"a\"],\"wait_ms\":60000}";
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), port())) {
            caller.getOutputStream()
                    .write(("POST /ojs/v1/workers/fetch HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                    + body)
                            .getBytes(StandardCharsets.US_ASCII));
            await(() -> !logs.sent().isEmpty());
            assertThat(coming).isNotDone();
        }

        await(coming::isCancelled);
        assertThat(logs.sent()).hasSize(1);
    }

    @Test
    void fetch_of_a_worker_that_sends_heartbeats_waits_by_itself() {
        answerHeartbeat("running", null);
        post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"patient\",\"active_jobs\":[]}");
        logs.reset().answer("{\"id\":\"1\"}");

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"worker_id\":\"patient\"}");

        assertThat(logs.theCommand(Fetch.class).maxWait()).isPositive();
    }

    @Test
    void fetch_that_will_not_wait_does_not() {
        answerHeartbeat("running", null);
        post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"hasty\",\"active_jobs\":[]}");
        logs.reset().answer(command -> FakePartitions.done());

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"worker_id\":\"hasty\",\"wait_ms\":0}");

        assertThat(logs.theCommand(Fetch.class).maxWait()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heartbeat", "event", "directive"})
    void fetch_that_waits_ends_when_its_worker_is_directed_to_take_no_more_jobs(String how) {
        CompletableFuture<Reply> coming = new CompletableFuture<>();
        logs.answerLater(sent -> sent.command() instanceof Fetch ? coming : CompletableFuture.completedFuture(quiet()));
        String fetch = "{\"queues\":[\"a\"],\"worker_id\":\"" + how + "\",\"wait_ms\":60000}";
        CompletableFuture<Got> waiting = CompletableFuture.supplyAsync(() -> post("/ojs/v1/workers/fetch", fetch));
        await(() -> !logs.sent().isEmpty());

        switch (how) {
            case "heartbeat" -> post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"heartbeat\",\"active_jobs\":[]}");
            case "event" -> workerEvent("worker.quiet", "event");
            default -> post("/ojs/v1/admin/workers/directive/quiet", "");
        }

        assertThat(waiting.join().body()).isEqualTo("{\"jobs\":[]}");
        assertThat(coming).isCancelled();
    }

    @Test
    void fetch_of_a_worker_that_is_quiet_gets_nothing_until_it_may_go_on() {
        logs.answer("{\"id\":\"1\"}");
        String fetch = "{\"queues\":[\"a\"],\"worker_id\":\"w\"}";
        workerEvent("worker.quiet", "w");

        assertThat(post("/ojs/v1/workers/fetch", fetch).body()).isEqualTo("{\"jobs\":[]}");
        assertThat(logs.sent()).isEmpty();

        workerEvent("worker.resumed", "w");
        assertThat(post("/ojs/v1/workers/fetch", fetch).at("/jobs").size()).isOne();
    }

    private static Reply quiet() {
        return FakePartitions.done("{\"worker_id\":\"directive\",\"state\":\"quiet\",\"directive\":\"quiet\","
                + "\"server_time\":\"2026-02-12T10:30:00.000Z\"}");
    }

    private void workerEvent(String type, String worker) {
        given.happened("{\"id\":\"evt_x\",\"type\":\"%s\",\"time\":\"t\",\"subject\":\"%s\"}".formatted(type, worker));
    }

    @Test
    void fetch_shows_how_long_a_job_may_take_in_one_unit_and_its_intervals_in_two() {
        logs.answer("{\"id\":\"1\",\"timeout_ms\":5000,\"timeout\":5,\"retry\":{\"max_attempts\":3,"
                + "\"initial_interval\":\"PT1.5S\",\"max_interval\":\"PT5M\"}}");

        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"]}");

        assertThat(got.at("/jobs/0/timeout").isMissingNode()).isTrue();
        got.answers("""
            {"jobs":[{"timeout_ms":5000,"retry":{"initial_interval":"PT1.5S","initial_interval_ms":1500,
            "max_interval_ms":300000,"max_attempts":3}}]}""");
    }

    @Test
    void fetch_rejects_what_would_be_carried_everywhere() {
        String tooLong = "w".repeat(256);
        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"worker_id\":\"" + tooLong + "\"}")
                .answers(400);
        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"visibility_timeout\":1e999}")
                .answers(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void fetch_gives_back_what_there_is_no_memory_for() {
        var full = given.memory.share(MemoryClass.ORDINARY);
        full.growTo(970_000);
        logs.answer(command -> command instanceof Fetch
                ? FakePartitions.done("{\"id\":\"" + ID + "\",\"lease\":7,\"args\":[\"" + "y".repeat(100_000) + "\"]}")
                : FakePartitions.done(JOB.formatted("available", "")));

        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"]}");

        got.answers(503);
        assertThat(got.header("Retry-After")).isNotNull();
        await(() -> logs.sent().size() == 2);
        Nack back = (Nack) logs.sent().get(1).command();
        assertThat(back.requeue()).isTrue();
        assertThat(back.claimant().lease()).isEqualTo(7);
        full.close();
    }

    @Test
    void fetch_needs_a_queue() {
        for (String body :
                new String[] {"{}", "{\"queues\":[]}", "{\"queues\":\"a\"}", "{\"queues\":[\"A!\"]}", "{\"queues\":[1]}"
                }) {
            Got got = post("/ojs/v1/workers/fetch", body);
            assertThat(got.status()).as(body).isEqualTo(400);
            assertThat(got.at("/error/code").stringValue()).isEqualTo("invalid_request");
        }
    }

    private void answerHeartbeat(String state, String directive) {
        logs.answer(command -> command instanceof Extend
                ? FakePartitions.done("{\"extended\":[\"" + ID + "\"],\"elsewhere\":[]"
                        + (directive == null ? "" : ",\"directive\":\"" + directive + "\"")
                        + ",\"server_time\":\"2026-02-12T10:30:00.000Z\"}")
                : FakePartitions.done("{\"state\":\"" + state + "\",\"server_time\":\"2026-02-12T10:30:00.000Z\"}"));
    }
}
