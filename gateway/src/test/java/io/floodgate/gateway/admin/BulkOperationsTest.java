package io.floodgate.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.TestApi;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.AdminCommand.BeginBulk;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.AdminCommand.GetBulk;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.AdminCommand.StopBulk;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.DeleteJob;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BulkOperationsTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String OTHER = "019539a4-b68c-7def-8000-2a2b3c4d5e6f";
    private static final String BULK = "/ojs/v1/admin/jobs/bulk/";

    private static String progress(String state, int succeeded) {
        return ("{\"operation\":\"x\",\"action\":\"retry\",\"state\":\"%s\",\"matched\":%d,\"succeeded\":%d,\"failed\":1,"
                        + "\"errors\":[{\"job_id\":\"j\",\"error\":\"e\"}]}")
                .formatted(state, succeeded + 1, succeeded);
    }

    @Test
    void those_that_a_filter_is_meant_for_are_a_piece_of_work_of_every_log() {
        logs.answer(command -> FakePartitions.done(progress(command instanceof BeginBulk ? "running" : "done", 5)));

        Got got = post(
                BULK + "retry",
                "{\"filter\":{\"state\":\"discarded\",\"type\":\"email.send\",\"since\":\"2026-02-13T00:00:00Z\"},\"confirm\":true}");

        got.answers(200, "{'action':'retry','matched':24,'succeeded':20,'retried':20,'failed':4}");
        assertThat(got.at("/errors").size()).isEqualTo(4);
        assertThat(got.at("/errors/3/job_id").stringValue()).isEqualTo("j");
        BeginBulk begun = (BeginBulk) logs.sent().getFirst().command();
        assertThat(begun.action()).isEqualTo(BulkAction.RETRY);
        assertThat(begun.filter().states()).containsExactly(JobState.DISCARDED);
        assertThat(begun.filter().type()).isEqualTo("email.send");
        assertThat(logs.sent()).extracting(FakePartitions.Sent::command).anyMatch(GetBulk.class::isInstance);
    }

    @Test
    void a_dry_run_counts_and_does_nothing() {
        logs.answer(command -> FakePartitions.done(
                "{}",
                "{\"id\":\"%s\",\"state\":\"discarded\"}".formatted(ID),
                "{\"id\":\"%s\",\"state\":\"discarded\"}".formatted(OTHER)));

        Got got = post(BULK + "retry", "{\"filter\":{\"queue\":\"q\"},\"dry_run\":true}");

        got.answers(200, "{'matched':2,'complete':true,'by_state':{'discarded':2},'examples':['%s']}", ID);
        assertThat(logs.sent()).extracting(FakePartitions.Sent::command).allMatch(ListJobs.class::isInstance);
        assertThat(logs.theCommand(ListJobs.class).filter().states()).containsExactly(JobState.DISCARDED);
        post("/ojs/v1/admin/queues/q/purge", "{\"states\":[\"available\"],\"dry_run\":true}")
                .answers("""
            {"action":"purge"}""");
    }

    @Test
    void what_takes_long_can_be_asked_about_and_stopped() {
        logs.answer(command -> FakePartitions.done(progress(command instanceof StopBulk ? "stopped" : "running", 1)));

        Got got = post(BULK + "delete", "{\"filter\":{\"queue\":\"q\"},\"confirm\":true}");

        got.answers(202, "{'state':'running'}");
        String where = got.header("Location");
        assertThat(where)
                .isEqualTo("/ojs/v1/admin/operations/" + got.at("/operation_id").stringValue());
        assertThat(get(where).at("/state").stringValue()).isEqualTo("running");
        assertThat(delete(where).at("/state").stringValue()).isEqualTo("stopped");
    }

    @Test
    void an_operation_may_be_known_to_one_log_alone() {
        logs.answerByLog(sent -> sent.log().partition() == 2
                ? FakePartitions.done(progress("done", 3))
                : new Reply.Rejected(Rejection.notFound("operation", ID)));
        get("/ojs/v1/admin/operations/" + ID).answers("{'succeeded':3}");
        logs.reject(Rejection.notFound("operation", ID));
        get("/ojs/v1/admin/operations/" + ID).answers(404);
        get("/ojs/v1/admin/operations/x").answers(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"filter\":{\"queue\":\"q\"}}", "{\"filter\":{\"queue\":\"q\"},\"confirm\":false}"})
    void what_is_not_confirmed_is_not_done(String body) {
        for (String action : new String[] {"retry", "cancel", "delete"}) {
            post(BULK + action, body).answers(400, "{'error':{'details':{'field':'confirm'}}}");
        }
        send("DELETE", "/ojs/v1/admin/dead-letter", "{}").answers(400);
        assertThat(logs.sent()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}|job_ids|400
        {"filter":{}}|filter|400
        {"filter":{"meta":{"a":1}}}|filter.meta|400
        {"filter":{"state":"done"}}|filter.state|400
        {"filter":{"since":"x"}}|filter.since|400
        {"filter":{"queue":"Q!"}}|filter.queue|400
        {"filter":{"queue":"q"},"job_ids":["x"]}|job_ids|400
        {"job_ids":["x"]}|job_ids|400
        {"job_ids":[]}|job_ids|400
        {"job_ids":"all"}|job_ids|400
        {"atomicity":"atomic","filter":{"queue":"q"}}|atomicity|422
        """)
    void nothing_is_done_if_it_is_not_clear_which_jobs_are_meant(String body, String field, int status) {
        Got got = post("/ojs/v1/jobs/bulk/cancel", body);

        assertThat(got.status()).isEqualTo(status);
        assertThat(got.at("/error/details/field").stringValue()).isEqualTo(field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void where_no_state_is_named_those_are_meant_that_the_action_is_for() {
        logs.answer(progress("done", 0));
        post("/ojs/v1/jobs/bulk/cancel", "{\"filter\":{\"queue\":\"q\"}}");
        assertThat(logs.theCommand(BeginBulk.class).filter().states())
                .containsExactly(JobState.SCHEDULED, JobState.AVAILABLE, JobState.PENDING, JobState.RETRYABLE);
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("q"));
    }

    @Test
    void jobs_of_a_list_are_done_one_by_one() {
        logs.answer(command -> ((JobCommand) command).job().toString().equals(ID)
                ? FakePartitions.done("{\"id\":\"" + ID + "\"}")
                : new Reply.Rejected(Rejection.of(ErrorCode.CONFLICT, "It is active.")));
        String body = "{\"job_ids\":[\"%s\",\"%s\"],\"confirm\":true}".formatted(ID, OTHER);

        post("/ojs/v1/jobs/bulk/retry", body).answers(207, """
            {"retried":1,"failed":1,"items":[{"status":"retried"},{"error":{"code":"conflict"}}],
            "errors":[{"job_id":"%s"}]}""", OTHER);
        assertThat(logs.sent()).extracting(FakePartitions.Sent::command).allMatch(RetryJob.class::isInstance);
        post(BULK + "retry", body).answers(200);
    }

    @Test
    void too_many_ids_are_rejected() {
        StringBuilder ids = new StringBuilder();
        for (int i = 0; i <= BulkBody.MOST; i++)
            ids.append(i == 0 ? "" : ",").append("\"019539a4-b68c-7def-8000-%012x\"".formatted(i));

        post("/ojs/v1/jobs/bulk/delete", "{\"ids\":[" + ids + "]}").answers(413, "{'error':{'max_batch_size':1000}}");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void jobs_of_another_tenant_are_not_there() {
        logs.answer("{\"id\":\"%s\",\"meta\":{\"tenant_id\":\"acme\"}}".formatted(ID));

        Got got = post("/ojs/v1/jobs/bulk/delete", "{\"ids\":[\"" + ID + "\"]}", "X-OJS-Tenant", "beta");

        assertThat(got.at("/items/0/error/code").stringValue()).isEqualTo("not_found");
        assertThat(logs.sent()).extracting(FakePartitions.Sent::command).noneMatch(DeleteJob.class::isInstance);
        logs.reset().answer(progress("done", 0));
        post("/ojs/v1/jobs/bulk/delete", "{\"filter\":{\"queue\":\"q\"}}", "X-OJS-Tenant", "beta");
        assertThat(logs.theCommand(BeginBulk.class).filter().tenant()).isEqualTo("beta");
    }

    /** As OJS dead letter §6.2 shows it. */
    @Test
    void dead_letters_that_failed_alike_are_retried_together() {
        logs.answer(progress("done", 2));

        Got got = post(
                "/ojs/v1/dead-letter/retry",
                "{\"filter\":{\"queue\":\"billing\",\"type\":\"invoice.generate\",\"since\":\"2026-02-12T00:00:00Z\","
                        + "\"error_type\":\"DatabaseConnectionError\"},\"confirm\":true}");

        assertThat(got.at("/retried").intValue()).isEqualTo(2);
        BeginBulk begun = logs.theCommand(BeginBulk.class);
        assertThat(begun.action()).isEqualTo(BulkAction.RETRY);
        assertThat(begun.filter().states()).containsExactly(JobState.DISCARDED);
        assertThat(begun.filter().errorType()).isEqualTo("DatabaseConnectionError");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ojs/v1/dead-letter/retry", "/ojs/v1/admin/dead-letter/retry"})
    void dead_letters_are_all_retried_where_the_filter_is_empty(String path) {
        logs.answer(progress("done", 2));

        post(path, "{\"filter\":{},\"confirm\":true}").answers(200);

        BeginBulk begun = (BeginBulk) logs.sent().getFirst().command();
        assertThat(begun.action()).isEqualTo(BulkAction.RETRY);
        assertThat(begun.filter()).isEqualTo(JobFilter.of(JobState.DISCARDED));
    }

    @Test
    void dead_letters_are_purged_by_their_age() {
        logs.answer(progress("done", 2));

        post("/ojs/v1/dead-letter/purge?older_than=7d", "");
        send("DELETE", "/ojs/v1/admin/dead-letter", "{\"older_than\":\"7d\",\"confirm\":true}");
        post("/ojs/v1/jobs/bulk/delete", "{\"filter\":{\"older_than\":\"P7D\"}}");

        assertThat(logs.sent())
                .extracting(FakePartitions.Sent::command)
                .filteredOn(BeginBulk.class::isInstance)
                .extracting(command -> ((BeginBulk) command).filter().until())
                .containsOnly(TestApi.NOW.minus(Duration.ofDays(7)));
    }

    @Test
    void dead_letters_are_purged_and_retried_together() {
        logs.answer(progress("done", 2));

        assertThat(post("/ojs/v1/dead-letter/purge?older_than=2026-01-13T00:00:00Z", "")
                        .at("/deleted")
                        .isMissingNode())
                .isTrue();
        BeginBulk begun = (BeginBulk) logs.sent().getFirst().command();
        assertThat(begun.action()).isEqualTo(BulkAction.DELETE);
        assertThat(begun.filter().states()).containsExactly(JobState.DISCARDED);
        assertThat(begun.filter().until()).isEqualTo("2026-01-13T00:00:00Z");
        logs.reset().answer(progress("done", 2));
        send("DELETE", "/ojs/v1/admin/dead-letter", "{\"queue\":\"q\",\"confirm\":true}")
                .answers(200);
        assertThat(logs.theCommand(BeginBulk.class).filter().queue()).isEqualTo("q");
        logs.reset().answer(progress("done", 2));
        post("/ojs/v1/dead-letter/retry", "{\"filter\":{\"queue\":\"q\"}}").answers("{'retried':2}");
    }
}
