package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static io.floodgate.processor.testing.Commands.bulk;
import static io.floodgate.processor.testing.Commands.decide;
import static io.floodgate.processor.workflow.WorkflowWorld.id;
import static io.floodgate.processor.workflow.WorkflowWorld.job;
import static io.floodgate.processor.workflow.WorkflowWorld.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.QueuePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fix the fault, retry, and the workflow ends well: whatever had ended it, and whichever operation retries. */
class WorkflowMendingTest {
    private final WorkflowWorld world = new WorkflowWorld(4);

    private Shown fetched(String queue) {
        return Objects.requireNonNull(world.fetchOne(queue), () -> "nothing in " + queue);
    }

    /** Its job dies. */
    private JobId dies(String queue) {
        Shown job = fetched(queue);
        world.nack(job);
        return id(job);
    }

    private void retriesByHand(String queue, JobId job) {
        world.tell(queue, ask(new RetryJob(job))).shown();
    }

    private void hasNothing(String... queues) {
        for (String queue : queues) assertThat(world.fetchOne(queue)).as(queue).isNull();
    }

    private static String batch(String more, String... queues) {
        return "{'type':'batch'%s,'jobs':[%s],'callbacks':{'on_complete':%s,'on_success':%s,'on_failure':%s}}"
                .formatted(
                        more,
                        jobs(queues),
                        job("t.complete", "complete"),
                        job("t.success", "success"),
                        job("t.failure", "failure"));
    }

    private static String jobs(String... queues) {
        List<String> jobs = new ArrayList<>();
        for (String queue : queues) jobs.add(job("t." + queue, queue));
        return String.join(",", jobs);
    }

    private void passes(Duration time) {
        world.cluster.after(time).delivers();
    }

    // ---- timeouts

    @Test
    void a_batch_that_timed_out_before_its_job_started_succeeds_after_a_retry() {
        JobId id = world.create("a", batch(",'timeout':'PT1M'", "a"));
        passes(Duration.ofMinutes(1));
        world.runs("failure", "complete");
        world.show(id).is("failed").shows("errors.0.code", "timeout");
        world.retries(id).shown().is("running").shows("jobs_completed", 0);
        world.runs("a", "success");
        hasNothing("failure", "complete");
        world.show(id).is("completed").hides("errors.0");
    }

    @Test
    void a_callback_that_is_queued_runs_although_its_batch_times_out() {
        JobId id = world.create("a", batch(",'timeout':'PT1M'", "a"));
        world.runs("a");
        passes(Duration.ofMinutes(1));
        world.show(id).is("running");
        world.runs("success", "complete");
        world.show(id).is("failed").shows("errors.0.code", "timeout");
        world.retries(id).shown().is("completed");
        hasNothing("success", "complete", "a");
    }

    @Test
    void a_retry_gives_a_workflow_its_whole_time_again() {
        JobId id = world.create("a", batch(",'timeout':'PT1M'", "a"));
        passes(Duration.ofMinutes(1));
        world.runs("failure", "complete");
        passes(Duration.ofMinutes(1));
        world.retries(id).shown().shows("timeout_at", "2026-01-01T12:03:00.000Z");
        passes(Duration.ofMillis(59_999));
        world.step(id, "0").is("pending");
        passes(Duration.ofMillis(1));
        world.step(id, "0").is("cancelled");
        world.show(id).is("failed");
    }

    // ---- by hand

    @Test
    void a_failed_group_completes_when_all_its_dead_jobs_are_retried_by_hand() {
        JobId id = world.create("a", "{'type':'group','jobs':[" + jobs("a", "b", "a", "c", "d") + "]}");
        List<String> queues = List.of("a", "b", "a", "c", "d");
        List<JobId> dead = queues.stream().map(this::dies).toList();
        world.show(id).is("failed").shows("jobs_failed", 5);
        for (int i = 0; i < 5; i++) retriesByHand(queues.get(i), dead.get(i));
        world.show(id).is("running").shows("jobs_failed", 0);
        world.runs("a", "b", "a", "c", "d");
        world.show(id).is("completed").shows("jobs_completed", 5);
        world.retries(id).rejected(ErrorCode.CONFLICT);
    }

    @Test
    void a_bulk_retry_of_dead_jobs_completes_their_failed_batch() {
        JobId id = world.create("a", batch("", "a", "b", "a", "c"));
        for (String queue : List.of("a", "b", "a", "c")) dies(queue);
        world.runs("failure", "complete");
        world.show(id).is("completed").shows("jobs_failed", 4);
        for (int partition = 0; partition < 4; partition++)
            world.at(
                    world.cluster.log(partition),
                    bulk("op" + partition, BulkAction.RETRY, JobFilter.of(JobState.DISCARDED)));
        passes(Duration.ofSeconds(1));
        world.show(id).is("running").shows("jobs_failed", 0);
        world.runs("a", "b", "a", "c", "success");
        world.show(id).is("completed").shows("jobs_completed", 4);
        hasNothing("a", "b", "c", "success", "failure", "complete");
    }

    @Test
    void a_step_that_has_ended_says_when_it_started() {
        JobId id = world.create("a", "{'type':'group','jobs':[" + jobs("a", "b") + "]}");
        passes(Duration.ofSeconds(1));
        Shown first = fetched("a");
        passes(Duration.ofSeconds(1));
        world.ack(first, "1");
        world.step(id, "0")
                .shows("started_at", "2026-01-01T12:00:01.000Z")
                .shows("completed_at", "2026-01-01T12:00:02.000Z");
        JobId dead = dies("b");
        world.step(id, "1").shows("started_at", "2026-01-01T12:00:02.000Z");
        retriesByHand("b", dead);
        world.step(id, "1").hides("started_at");
    }

    @Test
    void a_dead_job_that_is_retried_while_its_group_runs_counts() {
        JobId id = world.create("a", "{'type':'group','jobs':[" + jobs("a", "b") + "]}");
        retriesByHand("a", dies("a"));
        world.runs("b");
        world.show(id).is("running");
        world.runs("a");
        world.show(id).is("completed").shows("jobs_failed", 0);
    }

    @Test
    void callbacks_wait_for_a_dead_job_that_is_retried() {
        JobId id = world.create("a", batch("", "a", "b"));
        retriesByHand("a", dies("a"));
        world.runs("b");
        hasNothing("complete", "failure", "success");
        Shown again = fetched("a");
        hasNothing("complete", "failure", "success");
        world.ack(again, "'mended'");
        fetched("success").showsJson("parent_results", "['mended',{'of':'t.b'}]");
        fetched("complete");
        hasNothing("failure");
        world.show(id).is("running");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_batch_that_completed_with_dead_jobs_succeeds_after_a_retry_of_either_kind(boolean byHand) {
        JobId id = world.create("a", batch("", "a", "b"));
        JobId dead = dies("a");
        world.runs("b", "failure", "complete");
        world.show(id).is("completed");
        if (byHand) retriesByHand("a", dead);
        else world.retries(id).shown().is("running");
        world.runs("a", "success");
        hasNothing("failure", "complete", "b");
        world.show(id).is("completed").shows("jobs_failed", 0);
    }

    @Test
    void a_failed_callback_that_is_retried_by_hand_completes_its_batch() {
        JobId id = world.create("a", batch("", "a"));
        world.runs("a", "complete");
        JobId dead = dies("success");
        world.show(id).is("failed").shows("failed_callback", "on_success");
        retriesByHand("success", dead);
        world.runs("success");
        world.show(id).is("completed").hides("failed_callback");
    }

    @Test
    void a_job_that_is_retried_by_hand_leaves_a_cancelled_workflow_cancelled() {
        JobId id = world.create("a", "{'type':'chain','steps':[" + jobs("a", "b") + "]}");
        Shown job = fetched("a");
        world.cancels(id, false).shown().is("cancelled");
        world.nack(job);
        retriesByHand("a", id(job));
        world.runs("a");
        hasNothing("b");
        world.show(id).is("cancelled");
    }

    // ---- inside of each other

    @Test
    void a_nested_batch_with_a_failed_callback_ends_after_a_retry() {
        JobId id = world.create(
                "a",
                "{'type':'group','jobs':[{'type':'batch','jobs':[" + jobs("a") + "],'callbacks':{'on_complete':"
                        + job("t.complete", "complete") + ",'on_failure':" + job("t.failure", "failure") + "}},"
                        + jobs("b") + "]}");
        world.runs("a");
        world.fails("complete");
        world.fails("b");
        world.show(id).is("failed");
        world.retries(id).shown().is("running");
        world.runs("b", "complete");
        hasNothing("a", "failure");
        world.show(id).is("completed");
        world.step(id, "0.on_failure").is("skipped");
    }

    @Test
    void a_callback_that_failed_is_skipped_if_nothing_asks_for_it_any_more() {
        JobId id = world.create("a", batch("", "a"));
        world.fails("a");
        world.runs("complete");
        world.fails("failure");
        world.show(id).is("failed");
        world.retries(id).shown().is("running");
        world.runs("a", "success");
        hasNothing("failure", "complete");
        world.show(id).is("completed");
        world.step(id, "on_failure").is("skipped");
    }

    // ---- fail fast

    @Test
    void a_failure_stops_queued_siblings_and_a_retry_brings_them_back() {
        JobId id = world.create("a", "{'type':'group','on_failure':'fail_fast','jobs':[" + jobs("a", "b", "c") + "]}");
        Shown active = fetched("c");
        world.fails("a");
        hasNothing("b");
        world.show(id).is("running");
        world.ack(active, "1");
        world.show(id).is("failed").shows("metadata.cancelled_count", 1);
        world.retries(id).shown().is("running");
        world.runs("a", "b");
        hasNothing("c");
        world.show(id).is("completed");
    }

    @Test
    void siblings_stay_stopped_while_another_failure_stands() {
        JobId id = world.create("a", "{'type':'group','on_failure':'fail_fast','jobs':[" + jobs("a", "b", "c") + "]}");
        Shown active = fetched("c");
        JobId dead = dies("a");
        world.nack(active);
        world.show(id).is("failed");
        retriesByHand("a", dead);
        world.runs("a");
        hasNothing("b");
        world.show(id).is("failed");
        retriesByHand("c", id(active));
        world.runs("b", "c");
        world.show(id).is("completed");
    }

    // ---- elsewhere

    @Test
    void a_job_that_is_completed_in_a_dead_letter_queue_mends_its_workflow() {
        world.tell("a", decide("a", QueuePolicy.NONE.with(new DeadLettering("dead", null, null))));
        JobId id = world.create("a", "{'type':'chain','steps':[" + jobs("a", "b") + "]}");
        world.fails("a");
        world.cluster.delivers();
        world.show(id).is("failed");
        Shown dead = fetched("dead");
        world.at(world.log("dead"), ask(new Ack(id(dead), Claimant.UNNAMED, WorkflowWorld.json("'mended'"))));
        world.show(id).is("running");
        fetched("b").showsJson("parent_results", "['mended']");
    }

    @Test
    void a_batch_that_is_sent_as_steps_completes_if_its_callback_does() {
        JobId id = world.create(
                "a",
                "{'steps':[" + step("x", "a", "") + "," + step("y", "b", "") + ","
                        + step("on-complete", "complete", ",'depends_on':['x','y']") + "]}");
        world.fails("a");
        world.runs("b", "complete");
        world.show(id).is("completed").shows("jobs_failed", 1);
    }
}
