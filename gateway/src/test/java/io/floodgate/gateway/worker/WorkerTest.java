package io.floodgate.gateway.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakeLogs;
import io.floodgate.gateway.GatewayFixture;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

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
    void fetch_gives_back_what_came_for_a_caller_that_has_left() throws Exception {
        // When the end of a connection is seen is up to the machine: the job comes later with every try.
        for (int tries = 1; logs.sent().size() < 2; tries++) {
            assertThat(tries).isLessThan(10);
            logs.reset();
            leaveBeforeTheJobComes(Duration.ofMillis(100L * tries));
        }

        Nack back = (Nack) logs.sent().get(1).command();
        assertThat(back.requeue()).isTrue();
        assertThat(back.claimant().lease()).isEqualTo(42);
    }

    private void leaveBeforeTheJobComes(Duration delay) throws Exception {
        Reply job = FakeLogs.done("{\"id\":\"" + ID + "\",\"lease\":42}");
        CompletableFuture<Reply> coming = new CompletableFuture<>();
        logs.answerLater(sent ->
                sent.command() instanceof Fetch ? coming : CompletableFuture.completedFuture(FakeLogs.done(JOB)));
        String body = "{\"queues\":[\"a\"],\"wait_ms\":4000}";
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), port())) {
            caller.getOutputStream()
                    .write(
                            ("POST /ojs/v1/workers/fetch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                                            + body.length() + "\r\n\r\n" + body)
                                    .getBytes(StandardCharsets.US_ASCII));
            await(() -> !logs.sent().isEmpty());
        }
        coming.completeOnTimeout(job, delay.toMillis(), TimeUnit.MILLISECONDS).get();
        awaitAtMost(Duration.ofMillis(500), () -> logs.sent().size() > 1);
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

        post("/ojs/v1/workers/ack", "{\"id\":\"" + ID + "\",\"worker_id\":\"w1\",\"lease\":42}");

        Ack ack = logs.theCommand(Ack.class);
        assertThat(ack.claimant().worker()).isEqualTo("w1");
        assertThat(ack.claimant().lease()).isEqualTo(42);
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
