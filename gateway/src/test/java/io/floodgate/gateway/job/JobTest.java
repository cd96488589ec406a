package io.floodgate.gateway.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.SkipJob;
import io.floodgate.topics.command.Rejection;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class JobTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String PATH = "/ojs/v1/jobs/" + ID;
    private static final String JOB = "{\"id\":\"" + ID
            + "\",\"type\":\"a\",\"args\":[{\"x\":\"}\\\"]\"}],\"meta\":{},\"state\":\"%s\",\"attempt\":1,\"job\":\"mine\"}";

    @Test
    void is_shown_wrapped_and_flattened() {
        logs.answer(JOB.formatted("active"));

        get(PATH).answers(200, """
            {"job":{"state":"active","job":"mine"},"state":"active","args":[{"x":"}\\"]"}]}""");
        assertThat(logs.theCommand(GetJob.class).job())
                .isEqualTo(JobId.parse(ID).orElseThrow());
    }

    @Test
    void shows_its_errors_inside_only() {
        logs.answer(JOB.formatted("retryable"), "{\"error\":{\"code\":\"c\"},\"errors\":[{\"code\":\"c\"}]}");

        Got got = get(PATH);

        assertThat(got.at("/job/error/code").stringValue()).isEqualTo("c");
        assertThat(got.at("/job/errors").size()).isEqualTo(1);
        assertThat(got.json().has("error")).isFalse();
        assertThat(got.json().has("errors")).isFalse();
    }

    private static String of(String tenant) {
        return JOB.formatted("active").replace("\"meta\":{}", "\"meta\":{\"tenant_id\":\"" + tenant + "\"}");
    }

    @Test
    void of_another_tenant_is_not_found_nor_changed() {
        logs.answer(of("acme"));
        for (String[] request : new String[][] {
            {"GET", PATH},
            {"DELETE", PATH},
            {"POST", PATH + "/cancel"},
            {"POST", PATH + "/activate"},
            {"POST", PATH + "/skip"},
            {"GET", PATH + "/result"}
        }) {
            Got got = send(request[0], request[1], null, "X-OJS-Tenant", "beta");

            assertThat(got.status()).as(request[1]).isEqualTo(404);
            assertThat(got.at("/error/details/resource_id").stringValue()).isEqualTo(ID);
        }
        assertThat(logs.sent()).extracting(FakePartitions.Sent::command).allMatch(GetJob.class::isInstance);
    }

    @Test
    void is_there_for_its_own_tenant_and_for_a_client_that_names_none() {
        logs.answer(of("acme"));

        get(PATH, "X-OJS-Tenant", "acme").answers(200);
        delete(PATH, "X-OJS-Tenant", "acme").answers(200);
        get(PATH).answers(200);
        assertThat(logs.sent()).extracting(FakePartitions.Sent::command).anyMatch(Cancel.class::isInstance);
    }

    @Test
    void that_is_unknown_is_not_found_with_a_hint() {
        logs.reject(Rejection.notFound("job", ID));

        Got got = get(PATH);

        got.answers(404, "{'error':{'code':'not_found','details':{'resource_id':'%s'}}}", ID);
        assertThat(got.at("/error/hint").isString()).isTrue();
        assertThat(got.at("/error/docs_url").isString()).isTrue();
    }

    @Test
    void under_what_is_no_id_is_not_found_without_asking() {
        get("/ojs/v1/jobs/42").answers(404);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void is_cancelled_by_delete_and_by_post() {
        logs.answer(JOB.formatted("cancelled"));
        assertThat(delete(PATH).at("/job/state").stringValue()).isEqualTo("cancelled");
        assertThat(logs.theCommand(Cancel.class).job()).hasToString(ID);

        logs.reset().answer(JOB.formatted("cancelled"));
        post(PATH + "/cancel", "{}").answers(200);
        logs.theCommand(Cancel.class);
    }

    @Test
    void that_has_ended_cannot_be_cancelled() {
        logs.reject(Rejection.of(ErrorCode.CONFLICT, "over").with("current_state", "completed"));

        delete(PATH).answers(409, "{'error':{'code':'conflict','details':{'current_state':'completed'}}}");
    }

    @Test
    void is_activated() {
        logs.answer(JOB.formatted("available"));

        post(PATH + "/activate", "").answers(200);
        logs.theCommand(Activate.class);
    }

    @Test
    void is_skipped() {
        logs.answer(JOB.formatted("retryable"));

        post(PATH + "/skip", "").answers(200);
        logs.theCommand(SkipJob.class);
    }

    @Test
    void has_a_result_once_it_is_complete() {
        logs.answer("{\"id\":\"" + ID
                + "\",\"state\":\"completed\",\"result\":{\"n\":1},\"completed_at\":\"2026-02-12T10:30:00.000Z\"}");

        Got got = get(PATH + "/result");

        assertThat(got.body())
                .isEqualTo("{\"job_id\":\"" + ID
                        + "\",\"state\":\"completed\",\"result\":{\"n\":1},\"completed_at\":\"2026-02-12T10:30:00.000Z\","
                        + "\"result_stored_at\":\"2026-02-12T10:30:00.000Z\",\"result_size_bytes\":7}");
    }

    @Test
    void that_is_not_complete_has_a_state_but_no_result() {
        logs.answer(JOB.formatted("active"));

        assertThat(get(PATH + "/result").body()).isEqualTo("{\"job_id\":\"" + ID + "\",\"state\":\"active\"}");
    }

    @Test
    void answers_head_without_a_body() {
        logs.answer(JOB.formatted("active"));

        Got got = send("HEAD", PATH, null);

        got.answers(200);
        assertThat(got.body()).isEmpty();
        assertThat(Integer.parseInt(got.header("Content-Length"))).isPositive();
    }

    @Test
    void a_word_in_the_place_of_an_id_is_a_route_that_is_not_there() {
        for (String path : new String[] {"/ojs/v1/jobs/many/cancel", "/ojs/v1/dead-letter/bulk/retry"}) {
            Got got = post(path, "{}");

            got.answers(404);
            assertThat(got.at("/error/message").stringValue()).contains(path).doesNotContain("not found");
            assertThat(got.at("/error/details/resource_type").stringValue()).isEqualTo("route");
        }
    }

    @Test
    void a_result_is_waited_for_until_the_jobs_events_tell_of_it() {
        AtomicInteger asked = new AtomicInteger();
        logs.answer(command -> {
            boolean done = asked.incrementAndGet() > 2;
            // Between the second look and the third, something happens to the job.
            if (asked.get() == 2) Thread.startVirtualThread(() -> given.happenedTo(RESULT_ID));
            return FakePartitions.done("{\"id\":\"" + RESULT_ID + "\",\"state\":\""
                    + (done ? "completed\",\"result\":7" : "active\"") + "}");
        });
        long begun = System.nanoTime();

        get("/ojs/v1/jobs/" + RESULT_ID + "/result?wait=true&timeout=20").answers(200, "{'result':7}");
        assertThat(System.nanoTime() - begun).isLessThan(10_000_000_000L);
    }

    @Test
    void a_result_that_does_not_come_in_time_is_a_timeout() {
        logs.answer("{\"id\":\"" + RESULT_ID + "\",\"state\":\"active\"}");

        Got got = get("/ojs/v1/jobs/" + RESULT_ID + "/result?wait=true&timeout=0.2");

        got.answers(408, "{'error':{'details':{'state':'active'}}}");
        get("/ojs/v1/jobs/" + RESULT_ID + "/result").answers(200);
        get("/ojs/v1/jobs/" + RESULT_ID + "/result?wait=true&timeout=x").answers(400);
    }

    private static final String RESULT_ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
}
