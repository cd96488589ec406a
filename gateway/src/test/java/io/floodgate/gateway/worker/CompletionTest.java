package io.floodgate.gateway.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.Rejection;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CompletionTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String JOB = "{\"id\":\"" + ID
            + "\",\"type\":\"a\",\"args\":[],\"state\":\"%s\",\"attempt\":1,\"max_attempts\":3,\"job\":7%s}";
    private static final String ERRORS = "{\"error\":{\"code\":\"x\"},\"errors\":[{\"code\":\"x\"}]}";

    @Test
    void ack_reports_the_outcome_beside_the_job() {
        logs.answer(JOB.formatted("completed", ",\"completed_at\":\"2026-02-12T10:30:00.000Z\",\"result\":{\"a\":1}"));

        post("/ojs/v1/workers/ack", "{\"job_id\":\"" + ID + "\",\"result\":{\"a\": 1}}")
                .answers(200, """
            {"acknowledged":true,"id":"%s","job_id":"%s","state":"completed",
            "completed_at":"2026-02-12T10:30:00.000Z","job":{"state":"completed","job":7}}""", ID, ID);
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

        post("/ojs/v1/jobs/" + ID + "/ack", "").answers("{'job':{'state':'completed'}}");
    }

    @Test
    void ack_of_a_job_that_is_not_active_is_a_conflict() {
        logs.reject(Rejection.of(ErrorCode.CONFLICT, "no").with("current_state", "available"));

        Got got = post("/ojs/v1/workers/ack", "{\"job_id\":\"" + ID + "\"}");

        got.answers(409, "{'error':{'code':'conflict','retryable':false}}");
    }

    @Test
    void ack_needs_a_job() {
        post("/ojs/v1/workers/ack", "{}").answers(400);
        post("/ojs/v1/workers/ack", "{\"job_id\":7}").answers(400);
        post("/ojs/v1/workers/ack", "{\"job_id\":\"x\"}").answers(404);
    }

    @Test
    void nack_reports_what_becomes_of_the_job_and_keeps_the_error_inside() {
        logs.answer(JOB.formatted("retryable", ",\"retry_delay_ms\":1000"), ERRORS);

        Got got = post(
                "/ojs/v1/workers/nack",
                "{\"job_id\":\"" + ID
                        + "\",\"error\":{\"code\":\"handler_error\",\"message\":\"m\",\"retryable\":true}}");

        got.answers(200, "{'state':'retryable','retry_delay_ms':1000,'attempt':1,'max_attempts':3}");
        assertThat(got.json().has("error")).isFalse();
        assertThat(got.at("/job/errors/0/code").stringValue()).isEqualTo("x");
        Nack nack = logs.theCommand(Nack.class);
        assertThat(nack.error().code()).isEqualTo("handler_error");
        assertThat(nack.requeue()).isFalse();
    }

    @Test
    void nack_needs_an_error_unless_it_gives_the_job_back() {
        logs.answer(JOB.formatted("available", ""));

        post("/ojs/v1/workers/nack", "{\"job_id\":\"" + ID + "\"}").answers(400);
        post("/ojs/v1/workers/nack", "{\"job_id\":\"" + ID + "\",\"error\":\"x\"}")
                .answers(400);
        post("/ojs/v1/workers/nack", "{\"job_id\":\"" + ID + "\",\"requeue\":true}")
                .answers(200);
    }
}
