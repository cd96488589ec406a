package io.floodgate.gateway.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakeLogs;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.EnvelopeReader;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class BatchTest extends GatewayFixture {
    private static final String GIVEN = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String TAIL = "{\"queue\":\"%s\",\"state\":\"available\",\"attempt\":0}";

    @Test
    void is_one_command_to_the_log_of_the_first_queue() throws Exception {
        logs.answer(TAIL.formatted("b"), TAIL.formatted("a"));

        Got got = post(
                "/ojs/v1/jobs/batch",
                "{ \"jobs\" : [ {\"type\":\"x\",\"args\":[1],\"queue\":\"b\"} , {\"type\":\"y\",\"args\":[2],\"queue\":\"a\"} ] }");

        assertThat(got.status()).isEqualTo(201);
        assertThat(got.at("/count").intValue()).isEqualTo(2);
        assertThat(got.at("/enqueued").intValue()).isEqualTo(2);
        assertThat(got.at("/failed").intValue()).isZero();
        assertThat(got.at("/jobs/0/type").stringValue()).isEqualTo("x");
        assertThat(got.at("/jobs/1/type").stringValue()).isEqualTo("y");
        assertThat(got.at("/jobs/1/queue").stringValue()).isEqualTo("a");
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("b"));
        EnqueueBatch batch = logs.theCommand(EnqueueBatch.class);
        assertThat(batch.madeIds()).isTrue();
        assertThat(EnvelopeReader.read(batch.jobs().get(1)).id())
                .hasToString(got.at("/jobs/1/id").stringValue());
    }

    @Test
    void with_an_id_of_the_clients_does_not_promise_new_ids() throws Exception {
        logs.answer(TAIL.formatted("default"), TAIL.formatted("default"));

        post(
                "/ojs/v1/jobs/batch",
                "{\"jobs\":[{\"type\":\"x\",\"args\":[]},{\"id\":\"" + GIVEN + "\",\"type\":\"y\",\"args\":[]}]}");

        EnqueueBatch batch = logs.theCommand(EnqueueBatch.class);
        assertThat(batch.madeIds()).isFalse();
        assertThat(EnvelopeReader.read(batch.jobs().get(0)).id()).isNotNull();
        assertThat(EnvelopeReader.read(batch.jobs().get(1)).id())
                .isEqualTo(JobId.parse(GIVEN).orElseThrow());
    }

    @Test
    void names_the_first_job_that_is_invalid() {
        Got got = post(
                "/ojs/v1/jobs/batch",
                "{\"jobs\":[{\"type\":\"x\",\"args\":[]},{\"type\":\"x\"},{\"type\":\"X\",\"args\":[]}]}");

        assertThat(got.status()).isEqualTo(400);
        assertThat(got.at("/error/details/index").intValue()).isEqualTo(1);
        assertThat(got.at("/error/details/field").stringValue()).isEqualTo("args");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void with_a_bad_retry_policy_is_unprocessable() {
        Got got = post(
                "/ojs/v1/jobs/batch",
                "{\"jobs\":[{\"type\":\"x\",\"args\":[],\"retry\":{\"backoff_coefficient\":0.5}}]}");

        assertThat(got.status()).isEqualTo(422);
        assertThat(got.at("/error/details/index").intValue()).isZero();
    }

    @Test
    void needs_jobs() {
        for (String body : new String[] {"{}", "{\"jobs\":[]}", "{\"jobs\":7}", "{\"jobs\":null}", "{\"jobs\":{}}"})
            assertThat(post("/ojs/v1/jobs/batch", body)
                            .at("/error/details/field")
                            .stringValue())
                    .as(body)
                    .isEqualTo("jobs");
        assertThat(post("/ojs/v1/jobs/batch", "{\"jobs\":[7]}").status()).isEqualTo(400);
        assertThat(post("/ojs/v1/jobs/batch", "").status()).isEqualTo(400);
    }

    @Test
    void takes_ten_thousand_jobs_and_not_one_more() {
        String job = "{\"type\":\"x\",\"args\":[]}";
        String most = String.join(",", Collections.nCopies(10_000, job));
        logs.answer(command -> FakeLogs.done(
                Collections.nCopies(10_000, TAIL.formatted("default")).toArray(String[]::new)));

        assertThat(post("/ojs/v1/jobs/batch", "{\"jobs\":[" + most + "]}").status())
                .isEqualTo(201);
        Got got = post("/ojs/v1/jobs/batch", "{\"jobs\":[" + most + "," + job + "]}");
        assertThat(got.status()).isEqualTo(413);
        assertThat(got.at("/error/code").stringValue()).isEqualTo("BATCH_SIZE_EXCEEDED");
        assertThat(got.at("/error/max_batch_size").intValue()).isEqualTo(10_000);
    }

    @Test
    void passes_on_which_job_the_log_refused() {
        logs.refuse(Refusal.of(ErrorCode.DUPLICATE, "taken").with("index", 3));

        Got got = post("/ojs/v1/jobs/batch", "{\"jobs\":[{\"type\":\"x\",\"args\":[]}]}");

        assertThat(got.status()).isEqualTo(409);
        assertThat(got.at("/error/details/index").intValue()).isEqualTo(3);
    }
}
