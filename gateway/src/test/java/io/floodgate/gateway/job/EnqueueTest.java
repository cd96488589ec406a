package io.floodgate.gateway.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.TestApi;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class EnqueueTest extends GatewayFixture {
    private static final String TAIL =
            "{\"queue\":\"email\",\"priority\":0,\"state\":\"available\",\"attempt\":0,\"max_attempts\":3,\"created_at\":\"2026-02-12T10:30:00.000Z\"}";
    private static final String JOB =
            "{\"type\":\"email.send\",\"args\":[{\"to\":\"a@b.c\"}],\"options\":{\"queue\":\"email\"},\"x_team\":\"blue\"}";
    private static final String GIVEN = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

    @Test
    void answers_with_the_job_wrapped_and_flattened() {
        logs.answer(TAIL);

        Got got = post("/ojs/v1/jobs", JOB);

        got.answers(201, "{'job':{'type':'email.send','args':[{'to':'a@b.c'}],'x_team':'blue'}}");
        assertThat(got.at("/job/meta").isObject()).isTrue();
        assertThat(got.at("/job/state").stringValue()).isEqualTo("available");
        assertThat(got.at("/id")).isEqualTo(got.at("/job/id"));
        got.answers("{'type':'email.send','queue':'email','state':'available'}");
        assertThat(got.header("Location"))
                .isEqualTo("/ojs/v1/jobs/" + got.at("/id").stringValue());
    }

    @Test
    void shows_the_intervals_of_a_retry_policy_in_both_units() {
        logs.answer(TAIL.replace(
                "\"created_at\"",
                "\"retry\":{\"initial_interval\":\"PT0.5S\",\"max_interval\":\"PT5M\"},\"created_at\""));

        Got one = post("/ojs/v1/jobs", JOB);
        Got batch = post("/ojs/v1/jobs/batch", "{\"jobs\":[" + JOB + "]}");

        for (JsonNode retry : List.of(one.at("/job/retry"), one.at("/retry"), batch.at("/jobs/0/retry")))
            assertThat(retry.toString())
                    .isEqualTo("{\"initial_interval\":\"PT0.5S\",\"initial_interval_ms\":500,"
                            + "\"max_interval\":\"PT5M\",\"max_interval_ms\":300000}");
    }

    @Test
    void a_duplicate_that_is_ignored_is_answered_with_the_job_that_is_there() {
        String ignored = "{\"deduplicated\":true,\"existing_job_id\":\"%s\",\"existing_job_state\":\"active\"}";
        String job = "{\"id\":\"%s\",\"type\":\"email.send\",\"state\":\"completed\"}";
        logs.answer(command -> FakePartitions.done((command instanceof GetJob ? job : ignored).formatted(GIVEN)));

        Got got = post("/ojs/v1/jobs", JOB.replace("\"x_team\"", "\"unique\":{\"on_conflict\":\"ignore\"},\"x_team\""));

        got.answers(200, "{'deduplicated':true,'job':{'id':'%s'},'state':'completed'}", GIVEN);
    }

    @Test
    void a_batch_names_the_jobs_that_are_there_already() {
        logs.answer(
                TAIL,
                "{\"deduplicated\":true,\"existing_job_id\":\"%s\",\"existing_job_state\":\"active\"}"
                        .formatted(GIVEN));

        String unique = JOB.replace("\"x_team\"", "\"unique\":{\"on_conflict\":\"ignore\"},\"x_team\"")
                .replace("\"queue\":\"email\"", "\"queue\":\"batched\"");
        Got got = post("/ojs/v1/jobs/batch", "{\"jobs\":[" + JOB + "," + unique + "]}");

        got.answers(201, "{'jobs':[{'state':'available'},{'id':'%s','deduplicated':true}],'enqueued':1}", GIVEN);
        logs.reset();
        assertThat(get("/metrics").body())
                .contains("ojs_jobs_deduplicated_total{outcome=\"ignored\",queue=\"batched\"} 1.0");
    }

    @Test
    void the_manifest_declares_strong_uniqueness() {
        Got manifest = get("/ojs/manifest");

        manifest.answers("{'capabilities':{'unique_jobs':true},'unique_jobs_detail':{'strength':'strong'}}");
        assertThat(manifest.at("/unique_jobs_detail/mechanism").stringValue()).contains("home partition");
    }

    @Test
    void makes_an_id_that_carries_the_way_to_the_queue() throws Exception {
        logs.answer(TAIL);

        Got got = post("/ojs/v1/jobs", JOB);

        JobId id = JobId.parse(got.at("/id").stringValue()).orElseThrow();
        assertThat(id.slot()).isEqualTo(Slot.of("email"));
        assertThat(id.high() >>> 16).isEqualTo(TestApi.NOW.toEpochMilli());
        Enqueue sent = logs.theCommand(Enqueue.class);
        assertThat(sent.madeId()).isTrue();
        assertThat(EnvelopeReader.read(sent.job()).id()).isEqualTo(id);
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("email"));
    }

    @Test
    void sends_a_job_with_its_own_id_to_the_log_of_that_id() {
        logs.answer(TAIL);

        Got got = post("/ojs/v1/jobs", JOB.replace("{\"type\"", "{\"id\":\"" + GIVEN + "\",\"type\""));

        assertThat(got.at("/job/id").stringValue()).isEqualTo(GIVEN);
        assertThat(logs.theCommand(Enqueue.class).madeId()).isFalse();
        assertThat(logs.theOnlySent().log())
                .isEqualTo(logs.routing().ofJob(JobId.parse(GIVEN).orElseThrow()));
    }

    private static String load(boolean warning, String bounds) {
        return "{\"load\":{\"queue\":\"email\",\"depth\":42000,%s,\"size_bytes\":812,\"pressure\":0.84,\"warning\":%s}}"
                .formatted(bounds, warning);
    }

    @Test
    void warns_the_producer_of_a_queue_that_fills_up() {
        logs.answer(TAIL, load(true, "\"max_depth\":50000"));

        Got got = post("/ojs/v1/jobs", JOB);

        got.answers(201);
        assertThat(got.header("X-OJS-Queue-Depth")).isEqualTo("42000");
        assertThat(got.header("X-OJS-Queue-Bound")).isEqualTo("50000");
        assertThat(got.header("X-OJS-Queue-Max-Depth")).isEqualTo("50000");
        assertThat(got.header("X-OJS-Queue-Pressure")).isEqualTo("0.84");
        assertThat(got.header("X-OJS-Queue-Size-Bytes")).isNull();
        assertThat(got.header("Location")).isNotNull();
        assertThat(got.json().has("load")).isFalse();
        assertThat(got.at("/job").has("load")).isFalse();
    }

    @Test
    void warns_of_the_size_where_that_is_bounded() {
        logs.answer(TAIL, load(true, "\"max_depth\":50000,\"max_size_bytes\":1000"));

        Got got = post("/ojs/v1/jobs", JOB);

        assertThat(got.header("X-OJS-Queue-Bound")).isEqualTo("50000");
        assertThat(got.header("X-OJS-Queue-Size-Bytes")).isEqualTo("812");
        assertThat(got.header("X-OJS-Queue-Max-Size-Bytes")).isEqualTo("1000");
    }

    @Test
    void says_nothing_of_a_queue_that_has_room() {
        logs.answer(TAIL, load(false, "\"max_depth\":50000"));

        Got got = post("/ojs/v1/jobs", JOB);

        got.answers(201);
        assertThat(got.header("X-OJS-Queue-Pressure")).isNull();
        assertThat(got.header("X-OJS-Queue-Depth")).isNull();
    }

    @Test
    void puts_the_tenant_of_the_header_into_the_meta() {
        logs.answer(TAIL);

        Got got = post("/ojs/v1/jobs", JOB, "X-OJS-Tenant", "acme");

        assertThat(got.at("/job/meta/tenant_id").stringValue()).isEqualTo("acme");
    }

    @Test
    void rejects_a_tenant_that_differs_from_the_one_in_the_body() {
        Got got = post(
                "/ojs/v1/jobs",
                JOB.replace("\"x_team\"", "\"meta\":{\"tenant_id\":\"other\"},\"x_team\""),
                "X-OJS-Tenant",
                "acme");

        got.answers(400, "{'error':{'code':'invalid_request'}}");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void rejects_what_cannot_be_a_tenant() {
        for (String id : new String[] {"a b", "-a", "x".repeat(256)}) {
            Got got = post("/ojs/v1/jobs", JOB, "X-OJS-Tenant", id);

            got.answers(400, "{'error':{'details':{'field':'X-OJS-Tenant'}}}");
        }
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void rejects_an_empty_body() {
        post("/ojs/v1/jobs", "").answers(400, "{'error':{'code':'invalid_payload'}}");
    }

    @Test
    void rejects_a_job_without_type() {
        Got got = post("/ojs/v1/jobs", "{\"args\":[]}");

        got.answers(400, "{'error':{'code':'invalid_request','details':{'field':'type'}}}");
    }

    @Test
    void calls_a_bad_retry_policy_a_validation_error() {
        Got got = post("/ojs/v1/jobs", "{\"type\":\"a\",\"args\":[],\"retry\":{\"max_attempts\":-1}}");

        got.answers(422, "{'error':{'type':'validation_error'}}");
        assertThat(got.at("/error/message").stringValue()).contains("max_attempts");
    }

    @Test
    void rejects_a_body_larger_than_a_job_may_be() {
        Got got = post("/ojs/v1/jobs", "{\"type\":\"a\",\"args\":[\"" + "x".repeat(1024 * 1024) + "\"]}");

        got.answers(413, "{'error':{'code':'envelope_too_large'}}");
    }

    @Test
    void passes_on_that_the_id_is_taken() {
        logs.reject(Rejection.of(ErrorCode.DUPLICATE, "A job with this id is there.")
                .with("existing_job_id", GIVEN));

        Got got = post("/ojs/v1/jobs", JOB);

        got.answers(409, "{'error':{'code':'duplicate','details':{'existing_job_id':'%s'}}}", GIVEN);
    }

    @Test
    void says_so_when_nothing_was_sent() {
        logs.fail(new CommandNotSent("too many commands are waiting"));

        Got got = post("/ojs/v1/jobs", JOB);

        got.answers(503, """
            {"error":{"code":"BACKEND_UNAVAILABLE","retryable":true,"details":{"outcome":"not_executed"}}}""");
        assertThat(Integer.parseInt(got.header("Retry-After"))).isPositive();
    }

    @Test
    void names_the_id_to_try_again_with_when_the_outcome_is_unknown() {
        logs.fail(new NoReply("no reply within 10 s"));

        Got got = post("/ojs/v1/jobs", JOB);

        got.answers(503, "{'error':{'details':{'outcome':'unknown'}}}");
        assertThat(JobId.parse(got.at("/error/details/job_id").stringValue())).isPresent();
        assertThat(got.at("/error/message").stringValue()).contains("same id");
        assertThat(Integer.parseInt(got.header("Retry-After"))).isPositive();
    }

    @Test
    void accepts_plain_json_and_a_charset() {
        logs.answer(TAIL);

        post("/ojs/v1/jobs", JOB, "Content-Type", "application/json; charset=utf-8")
                .answers(201);
    }

    @Test
    void rejects_a_body_of_another_media_type() {
        Got got = post("/ojs/v1/jobs", JOB, "Content-Type", "application/x-www-form-urlencoded");

        got.answers(400, "{'error':{'code':'invalid_request'}}");
    }

    @Test
    void says_how_long_it_waits_for_room() throws Exception {
        given.published(
                "{\"name\":\"email\",\"created_at\":\"t\",\"version\":1,\"config\":{\"max_depth\":9,\"strategy\":\"block\"}}");
        logs.answer("{\"queue\":\"default\",\"state\":\"available\",\"attempt\":0}");
        for (String header : new String[] {"30", "0.25", "6e1"}) {
            post("/ojs/v1/jobs", JOB, "OJS-Block-Timeout", header).answers(201);
        }
        assertThat(logs.sent().stream()
                        .map(sent -> ((Enqueue) sent.command()).maxWait().toMillis()))
                .containsExactly(30_000L, 250L, 60_000L);
    }

    @Test
    void rejects_a_time_to_wait_that_is_none_or_longer_than_a_minute() {
        for (String header : new String[] {"-1", "soon", "NaN", "Infinity", "61", "1e9"}) {
            Got got = post("/ojs/v1/jobs", JOB, "OJS-Block-Timeout", header);
            assertThat(got.status()).as(header).isEqualTo(400);
            assertThat(got.at("/error/details/field").stringValue()).isEqualTo("OJS-Block-Timeout");
            assertThat(got.at("/error/message").stringValue())
                    .isEqualTo("The header 'OJS-Block-Timeout' must be a number of seconds from 0 to 60, and not '%s'."
                            .formatted(header));
        }
        assertThat(logs.sent()).isEmpty();
    }
}
