package io.floodgate.gateway.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakeLogs;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.memory.MemoryBudget.Lane;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.TooManyInFlight;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand.Beat;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String JOB = "{\"id\":\"" + ID
            + "\",\"type\":\"a\",\"args\":[],\"state\":\"%s\",\"attempt\":1,\"max_attempts\":3,\"job\":7%s}";
    private static final String ERRORS = "{\"error\":{\"code\":\"x\"},\"errors\":[{\"code\":\"x\"}]}";

    @Test
    void fetch_hands_out_what_the_log_gave() {
        logs.answer("{\"id\":\"1\"}", "{\"id\":\"2\"}");

        Got got = post(
                "/ojs/v1/workers/fetch",
                "{\"queues\":[\"a\"],\"count\":500,\"worker_id\":\"w1\",\"visibility_timeout_ms\":30000}");

        assertThat(got.status()).isEqualTo(200);
        assertThat(got.body()).isEqualTo("{\"jobs\":[{\"id\":\"1\"},{\"id\":\"2\"}]}");
        assertThat(logs.theCommand(Fetch.class))
                .isEqualTo(new Fetch(List.of("a"), 100, "w1", Duration.ofSeconds(30), Duration.ZERO));
    }

    @Test
    void fetch_comes_back_empty_handed() {
        logs.answer(command -> FakeLogs.done());

        assertThat(post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"]}").body()).isEqualTo("{\"jobs\":[]}");
    }

    @Test
    void fetch_comes_back_empty_handed_when_the_gateway_is_full() {
        logs.fail(new TooManyInFlight());

        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"]}");

        assertThat(got.status()).isEqualTo(200);
        assertThat(got.body()).isEqualTo("{\"jobs\":[]}");
    }

    @Test
    void fetch_names_its_worker_in_characters_that_can_be_stored() {
        logs.answer(command -> FakeLogs.done());

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"worker_id\":\"w\\ud800\"}");

        assertThat(logs.theCommand(Fetch.class).worker()).isEqualTo("w\ufffd");
    }

    @Test
    void fetch_waits_in_the_log_but_only_for_a_turn_at_a_time() {
        logs.answer("{\"id\":\"1\"}");

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"wait_ms\":900000}");

        assertThat(logs.theCommand(Fetch.class).maxWait()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void fetch_that_waits_no_longer_than_a_turn_asks_once() {
        logs.answer(command -> FakeLogs.done());

        assertThat(post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"wait_ms\":1000}")
                        .body())
                .isEqualTo("{\"jobs\":[]}");
        assertThat(logs.theCommand(Fetch.class).maxWait()).isBetween(Duration.ofMillis(900), Duration.ofSeconds(1));
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
        logs.reset();
        logs.answer("{\"id\":\"1\"}");

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"worker_id\":\"patient\"}");

        assertThat(logs.theCommand(Fetch.class).maxWait()).isPositive();
    }

    @Test
    void fetch_that_will_not_wait_does_not() {
        answerHeartbeat("running", null);
        post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"hasty\",\"active_jobs\":[]}");
        logs.reset();
        logs.answer(command -> FakeLogs.done());

        post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"worker_id\":\"hasty\",\"wait_ms\":0}");

        assertThat(logs.theCommand(Fetch.class).maxWait()).isZero();
    }

    @Test
    void fetch_shows_how_long_a_job_may_take_in_one_unit_and_its_intervals_in_two() {
        logs.answer("{\"id\":\"1\",\"timeout_ms\":5000,\"timeout\":5,\"retry\":{\"max_attempts\":3,"
                + "\"initial_interval\":\"PT1.5S\",\"max_interval\":\"PT5M\"}}");

        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"]}");

        assertThat(got.at("/jobs/0/timeout").isMissingNode()).isTrue();
        assertThat(got.at("/jobs/0/timeout_ms").intValue()).isEqualTo(5_000);
        assertThat(got.at("/jobs/0/retry/initial_interval").stringValue()).isEqualTo("PT1.5S");
        assertThat(got.at("/jobs/0/retry/initial_interval_ms").intValue()).isEqualTo(1_500);
        assertThat(got.at("/jobs/0/retry/max_interval_ms").intValue()).isEqualTo(300_000);
        assertThat(got.at("/jobs/0/retry/max_attempts").intValue()).isEqualTo(3);
    }

    @Test
    void fetch_refuses_what_would_be_carried_everywhere() {
        String tooLong = "w".repeat(256);
        assertThat(post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"worker_id\":\"" + tooLong + "\"}")
                        .status())
                .isEqualTo(400);
        assertThat(post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"],\"visibility_timeout\":1e999}")
                        .status())
                .isEqualTo(400);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void fetch_gives_back_what_there_is_no_memory_for() {
        var full = given.memory.share(Lane.ORDINARY);
        full.growTo(970_000);
        logs.answer(command -> command instanceof Fetch
                ? FakeLogs.done("{\"id\":\"" + ID + "\",\"lease\":7,\"args\":[\"" + "y".repeat(100_000) + "\"]}")
                : FakeLogs.done(JOB.formatted("available", "")));

        Got got = post("/ojs/v1/workers/fetch", "{\"queues\":[\"a\"]}");

        assertThat(got.status()).isEqualTo(503);
        assertThat(got.header("Retry-After")).isNotNull();
        await(() -> logs.sent().size() == 2);
        Nack back = (Nack) logs.sent().get(1).command();
        assertThat(back.requeue()).isTrue();
        assertThat(back.claimant().lease()).isEqualTo(7);
        full.close();
    }

    @Test
    void heartbeat_names_what_the_worker_has_lost() {
        logs.answer(command -> command instanceof Extend
                ? FakeLogs.done("{\"extended\":[],\"elsewhere\":[],\"lost\":[\"" + ID + "\"],\"cancelled\":[\"" + ID
                        + "\"],\"server_time\":\"2026-02-12T10:30:00.000Z\"}")
                : FakeLogs.done("{\"state\":\"running\",\"server_time\":\"2026-02-12T10:30:00.000Z\"}"));

        Got got = post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\",\"active_jobs\":[\"" + ID + "\"]}");

        assertThat(got.at("/lost_jobs/0").stringValue()).isEqualTo(ID);
        assertThat(got.at("/cancelled_jobs/0").stringValue()).isEqualTo(ID);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'active_jobs':['%s'] | true",
                "'active_jobs':1,'active_job_ids':['%s'] | true",
                "'active_jobs':2,'active_job_ids':['%s'] | false",
                "'job_id':'%s' | false",
                "'active_job_ids':['%s'] | false"
            })
    void heartbeat_counts_as_complete_only_if_it_names_all_jobs(String jobs, boolean complete) {
        answerHeartbeat("running", null);

        post("/ojs/v1/workers/heartbeat", ("{'worker_id':'w1'," + jobs.formatted(ID) + "}").replace('\'', '"'));

        Extend extend = logs.sent().stream()
                .map(FakeLogs.Sent::command)
                .filter(Extend.class::isInstance)
                .map(Extend.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(extend.complete()).isEqualTo(complete);
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

    @Test
    void ack_reports_the_outcome_beside_the_job() {
        logs.answer(JOB.formatted("completed", ",\"completed_at\":\"2026-02-12T10:30:00.000Z\",\"result\":{\"a\":1}"));

        Got got = post("/ojs/v1/workers/ack", "{\"job_id\":\"" + ID + "\",\"result\":{\"a\": 1}}");

        assertThat(got.status()).isEqualTo(200);
        assertThat(got.at("/acknowledged").booleanValue()).isTrue();
        assertThat(got.at("/id").stringValue()).isEqualTo(ID);
        assertThat(got.at("/job_id").stringValue()).isEqualTo(ID);
        assertThat(got.at("/state").stringValue()).isEqualTo("completed");
        assertThat(got.at("/completed_at").stringValue()).isEqualTo("2026-02-12T10:30:00.000Z");
        assertThat(got.at("/job/state").stringValue()).isEqualTo("completed");
        assertThat(got.at("/job/job").intValue()).isEqualTo(7);
        Ack ack = logs.theCommand(Ack.class);
        assertThat(ack.job()).isEqualTo(JobId.parse(ID).orElseThrow());
        assertThat(new String(ack.result(), StandardCharsets.UTF_8)).isEqualTo("{\"a\": 1}");
    }

    @Test
    void ack_passes_on_who_reports() {
        logs.answer(JOB.formatted("completed", ""));

        post("/ojs/v1/workers/ack", "{\"id\":\"" + ID + "\",\"worker_id\":\"w1\",\"lease\":42,\"attempt\":3}");

        Ack ack = logs.theCommand(Ack.class);
        assertThat(ack.claimant().worker()).isEqualTo("w1");
        assertThat(ack.claimant().lease()).isEqualTo(42);
        assertThat(ack.claimant().attempt()).isEqualTo(3);
        assertThat(ack.result()).isNull();
    }

    @Test
    void ack_works_under_the_job_too() {
        logs.answer(JOB.formatted("completed", ""));

        assertThat(post("/ojs/v1/jobs/" + ID + "/ack", "").at("/job/state").stringValue())
                .isEqualTo("completed");
    }

    @Test
    void ack_of_a_job_that_is_not_active_is_a_conflict() {
        logs.refuse(Refusal.of(ErrorCode.CONFLICT, "no").with("current_state", "available"));

        Got got = post("/ojs/v1/workers/ack", "{\"job_id\":\"" + ID + "\"}");

        assertThat(got.status()).isEqualTo(409);
        assertThat(got.at("/error/code").stringValue()).isEqualTo("conflict");
        assertThat(got.at("/error/retryable").booleanValue()).isFalse();
    }

    @Test
    void ack_needs_a_job() {
        assertThat(post("/ojs/v1/workers/ack", "{}").status()).isEqualTo(400);
        assertThat(post("/ojs/v1/workers/ack", "{\"job_id\":7}").status()).isEqualTo(400);
        assertThat(post("/ojs/v1/workers/ack", "{\"job_id\":\"x\"}").status()).isEqualTo(404);
    }

    @Test
    void nack_reports_what_becomes_of_the_job_and_keeps_the_error_inside() {
        logs.answer(JOB.formatted("retryable", ",\"retry_delay_ms\":1000"), ERRORS);

        Got got = post(
                "/ojs/v1/workers/nack",
                "{\"job_id\":\"" + ID
                        + "\",\"error\":{\"code\":\"handler_error\",\"message\":\"m\",\"retryable\":true}}");

        assertThat(got.status()).isEqualTo(200);
        assertThat(got.at("/state").stringValue()).isEqualTo("retryable");
        assertThat(got.at("/retry_delay_ms").intValue()).isEqualTo(1000);
        assertThat(got.at("/attempt").intValue()).isEqualTo(1);
        assertThat(got.at("/max_attempts").intValue()).isEqualTo(3);
        assertThat(got.json().has("error")).isFalse();
        assertThat(got.at("/job/errors/0/code").stringValue()).isEqualTo("x");
        Nack nack = logs.theCommand(Nack.class);
        assertThat(nack.error().code()).isEqualTo("handler_error");
        assertThat(nack.requeue()).isFalse();
    }

    @Test
    void nack_needs_an_error_unless_it_gives_the_job_back() {
        logs.answer(JOB.formatted("available", ""));

        assertThat(post("/ojs/v1/workers/nack", "{\"job_id\":\"" + ID + "\"}").status())
                .isEqualTo(400);
        assertThat(post("/ojs/v1/workers/nack", "{\"job_id\":\"" + ID + "\",\"error\":\"x\"}")
                        .status())
                .isEqualTo(400);
        assertThat(post("/ojs/v1/workers/nack", "{\"job_id\":\"" + ID + "\",\"requeue\":true}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void heartbeat_prolongs_the_jobs_in_whatever_form_they_are_named() {
        for (String jobs : new String[] {
            "\"active_jobs\":[\"" + ID + "\"]",
            "\"active_jobs\":1,\"active_job_ids\":[\"" + ID + "\"]",
            "\"job_id\":\"" + ID + "\""
        }) {
            logs.reset();
            answerHeartbeat("running", null);

            Got got = post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\"," + jobs + "}");

            assertThat(got.status()).isEqualTo(200);
            assertThat(got.at("/state").stringValue()).isEqualTo("running");
            assertThat(got.at("/directive").stringValue()).isEqualTo("continue");
            assertThat(got.at("/acknowledged").booleanValue()).isTrue();
            assertThat(got.at("/jobs_extended/0").stringValue()).isEqualTo(ID);
            assertThat(got.at("/server_time").isString()).isTrue();
        }
    }

    @Test
    void heartbeat_of_an_idle_worker_names_no_jobs() {
        answerHeartbeat("running", null);

        Got got = post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\",\"active_jobs\":0,\"active_job_ids\":null}");

        assertThat(got.at("/jobs_extended").size()).isZero();
        assertThat(logs.theCommand(Beat.class).worker()).isEqualTo("w1");
    }

    @Test
    void heartbeat_obeys_no_test_directive_in_earnest() {
        answerHeartbeat("running", "quiet");

        assertThat(post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\",\"job_id\":\"" + ID + "\"}")
                        .at("/state")
                        .stringValue())
                .isEqualTo("running");
    }

    @Test
    void heartbeat_says_nothing_but_the_three_words() {
        answerHeartbeat("active", null);
        assertThat(post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\"}")
                        .at("/state")
                        .stringValue())
                .isEqualTo("running");
        answerHeartbeat("quiet", null);
        assertThat(post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\"}")
                        .at("/directive")
                        .stringValue())
                .isEqualTo("quiet");
    }

    @Test
    void heartbeat_needs_a_worker() {
        assertThat(post("/ojs/v1/workers/heartbeat", "{}").status()).isEqualTo(400);
    }

    @Test
    void register_tells_the_worker_the_rhythm() {
        answerHeartbeat("running", null);

        Got got = post("/ojs/v1/workers/register", "{\"worker_id\":\"w1\",\"hostname\":\"h\",\"concurrency\":4}");

        assertThat(got.at("/ok").booleanValue()).isTrue();
        assertThat(got.at("/heartbeat_interval").intValue()).isEqualTo(5);
        assertThat(new String(logs.theCommand(Beat.class).about(), StandardCharsets.UTF_8))
                .isEqualTo("{\"hostname\":\"h\",\"concurrency\":4}");
    }

    @Test
    void health_shows_what_the_worker_announced() {
        logs.answer(
                "{\"worker_id\":\"w1\",\"state\":\"running\",\"last_heartbeat_at\":\"2026-02-12T10:30:00.000Z\",\"about\":{\"state\":\"drain\"}}");

        Got got = get("/ojs/v1/workers/w1/health");

        assertThat(got.status()).isEqualTo(200);
        assertThat(got.at("/state").stringValue()).isEqualTo("drain");
    }

    private void answerHeartbeat(String state, String directive) {
        logs.answer(command -> command instanceof Extend
                ? FakeLogs.done("{\"extended\":[\"" + ID + "\"],\"elsewhere\":[]"
                        + (directive == null ? "" : ",\"directive\":\"" + directive + "\"")
                        + ",\"server_time\":\"2026-02-12T10:30:00.000Z\"}")
                : FakeLogs.done("{\"state\":\"" + state + "\",\"server_time\":\"2026-02-12T10:30:00.000Z\"}"));
    }
}
