package io.floodgate.processor.workflow;

import static io.floodgate.processor.workflow.WorkflowWorld.id;
import static io.floodgate.processor.workflow.WorkflowWorld.job;
import static io.floodgate.processor.workflow.WorkflowWorld.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.GetStepJobs;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.ListWorkflows;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.workflow.WorkflowReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of workflows, in one partition and over several: the queues a, b and c are in different ones of 4. */
class WorkflowsTest extends Commands {
    private final WorkflowWorld world = new WorkflowWorld(4);

    private static String chain(String... queues) {
        StringBuilder steps = new StringBuilder();
        for (String queue : queues) steps.append(steps.isEmpty() ? "" : ",").append(job("t." + queue, queue));
        return "{'type':'chain','name':'c','steps':[" + steps + "]}";
    }

    private Shown fetched(String queue) {
        return Objects.requireNonNull(world.fetchOne(queue), () -> "nothing in " + queue);
    }

    private void bounded(String queue, long depth, Overflow strategy) {
        world.tell(queue, bound(queue, new QueueConfig(depth, null, strategy, null)));
    }

    private long depth(String queue) {
        return world.tell(queue, getQueue(queue)).shown().number("depth");
    }

    // ---- chains

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void a_chain_places_one_step_after_the_other_with_the_results_of_those_before(int partitions) {
        WorkflowWorld w = new WorkflowWorld(partitions);
        JobId id = w.create("a", chain("a", "b", "c"));
        assertThat(w.states(id)).containsExactly("0=pending", "1=waiting", "2=waiting");
        assertThat(w.fetchOne("b")).isNull();
        Shown first = Objects.requireNonNull(w.fetchOne("a"));
        first.showsJson("parent_results", "[]")
                .shows("workflow_id", id.toString())
                .shows("workflow_step", "0");
        w.ack(first, "{'n':1}");
        Shown second = Objects.requireNonNull(w.fetchOne("b"));
        second.showsJson("parent_results", "[{'n':1}]");
        w.ack(second, "2");
        Shown third = Objects.requireNonNull(w.fetchOne("c"));
        third.showsJson("parent_results", "[{'n':1},2]");
        w.show(id).is("running").shows("steps_completed", 2).shows("steps_total", 3);
        w.ack(third, "null");
        w.show(id).is("completed").shows("metadata.completed_count", 3);
        w.step(id, "0").showsJson("result", "{'n':1}");
    }

    @Test
    void a_step_that_fails_ends_its_chain() {
        JobId id = world.create("a", chain("a", "b", "c"));
        world.runs("a");
        world.fails("b");
        world.show(id)
                .is("failed")
                .shows("failed_step_index", 1)
                .shows("errors.0.code", "handler_error")
                .shows("errors.0.message", "it broke")
                .shows("errors.0.attempt", 1);
        assertThat(world.states(id)).containsExactly("0=completed", "1=failed", "2=cancelled");
        assertThat(world.fetchOne("c")).isNull();
    }

    @Test
    void a_step_that_is_to_be_tried_again_is_no_failure() {
        JobId id = world.create("a", "{'type':'chain','steps':[{'type':'t.a','args':[],'queue':'a'}]}");
        world.fails("a");
        world.show(id).is("running");
        world.cluster.after(Duration.ofSeconds(5)).delivers();
        world.runs("a");
        world.show(id).is("completed");
    }

    @Test
    void a_delay_counts_from_when_the_step_can_run() {
        world.create(
                "a",
                "{'type':'chain','steps':[" + job("t.a", "a")
                        + ",{'type':'t.b','args':[],'queue':'b','delay':'PT10S'}]}");
        world.cluster.after(Duration.ofSeconds(60)).delivers();
        world.runs("a");
        assertThat(world.fetchOne("b")).isNull();
        world.cluster.after(Duration.ofSeconds(9)).delivers();
        assertThat(world.fetchOne("b")).isNull();
        world.cluster.after(Duration.ofSeconds(1)).delivers();
        world.runs("b");
    }

    @Test
    void events_tell_of_each_step_once() {
        var log = new WorkflowWorld(1).log("a");
        log.receives(ask(new CreateWorkflow(WorkflowWorld.json(chain("a", "b")), Duration.ZERO)));
        assertThat(log.events().stream().map(event -> event.text("type")))
                .containsExactlyInAnyOrder("queue.created", "job.enqueued", "workflow.created", "workflow.started");
        assertThat(log.event("job.enqueued").text("workflow_step")).isEqualTo("0");
        assertThat(log.event("job.enqueued").text("workflow_id"))
                .isEqualTo(log.event("workflow.created").text("workflow_id"));
    }

    // ---- groups and batches

    @Test
    void a_group_fails_once_all_have_ended() {
        JobId id = world.create("a", "{'type':'group','jobs':[" + job("t.a", "a") + "," + job("t.b", "b") + "]}");
        world.fails("a");
        world.show(id).is("running").shows("jobs_failed", 1);
        world.runs("b");
        world.show(id).is("failed").shows("jobs_total", 2).shows("jobs_completed", 1);
    }

    private static String batch() {
        return "{'type':'batch','jobs':[" + job("t.a", "a") + "," + job("t.b", "b") + "],'callbacks':{'on_complete':"
                + job("t.complete", "complete") + ",'on_success':" + job("t.success", "success") + ",'on_failure':"
                + job("t.failure", "failure") + "}}";
    }

    @Test
    void callbacks_follow_from_success_with_all_results() {
        JobId id = world.create("a", batch());
        world.runs("a");
        assertThat(world.fetchOne("complete")).isNull();
        world.runs("b");
        fetched("success").showsJson("parent_results", "[{'of':'t.a'},{'of':'t.b'}]");
        Shown complete = fetched("complete");
        assertThat(world.fetchOne("failure")).isNull();
        assertThat(world.fetchOne("complete")).isNull();
        world.show(id).is("running").shows("jobs_total", 2);
        world.ack(complete, "1");
        world.show(id).is("running");
    }

    @Test
    void callbacks_follow_from_failure_and_the_batch_is_completed() {
        JobId id = world.create("a", batch());
        world.fails("a");
        world.runs("b");
        Shown failure = fetched("failure");
        String error = "{'job_id':'%s','code':'handler_error','message':'it broke','attempt':1}"
                .formatted(world.step(id, "0").text("job_id"));
        failure.showsJson("parent_results", "[{'error':%s},{'of':'t.b'}]".formatted(error));
        assertThat(world.fetchOne("success")).isNull();
        world.ack(failure, "1");
        world.runs("complete");
        world.show(id).is("completed").shows("jobs_failed", 1);
        assertThat(world.states(id)).contains("on_success=skipped", "on_failure=completed", "on_complete=completed");
    }

    @Test
    void a_callback_that_fails_fails_the_batch() {
        JobId id = world.create("a", batch());
        world.runs("a", "b", "success");
        world.fails("complete");
        world.show(id).is("failed").shows("failed_callback", "on_complete");
        world.retries(id).shown().is("running");
        world.runs("complete");
        assertThat(world.fetchOne("success")).isNull();
        world.show(id).is("completed").hides("failed_callback");
    }

    // ---- workflows inside of each other

    @Test
    void a_group_inside_of_a_chain_gets_its_result_and_gives_its_own() {
        JobId id = world.create(
                "a",
                "{'type':'chain','steps':[" + job("t.a", "a") + ",{'type':'group','jobs':[" + job("t.b", "b") + ","
                        + "{'type':'chain','steps':[" + job("t.c", "c") + "," + job("t.d", "d") + "]}]},"
                        + job("t.e", "e") + "]}");
        world.runs("a");
        fetched("c").showsJson("parent_results", "[{'of':'t.a'}]");
        Shown b = fetched("b");
        b.showsJson("parent_results", "[{'of':'t.a'}]");
        assertThat(world.fetchOne("e")).isNull();
        assertThat(world.states(id))
                .containsExactly(
                        "0=completed",
                        "1=active",
                        "1.0=pending",
                        "1.1=active",
                        "1.1.0=pending",
                        "1.1.1=waiting",
                        "2=waiting");
        world.ack(b, "'b'");
        world.cancels(id, false).shown().is("cancelled");
    }

    @Test
    void what_is_inside_ends_with_what_it_is_inside_of() {
        JobId id = world.create(
                "a",
                "{'type':'chain','steps':[" + job("t.a", "a") + ",{'type':'group','jobs':[" + job("t.b", "b") + "]},"
                        + job("t.e", "e") + "]}");
        world.fails("a");
        assertThat(world.states(id)).containsExactly("0=failed", "1=cancelled", "1.0=cancelled", "2=cancelled");
        world.show(id).is("failed").shows("metadata.cancelled_count", 2);
    }

    @Test
    void a_group_inside_gives_an_object_by_positions() {
        world.create(
                "a",
                "{'type':'chain','steps':[{'type':'group','jobs':[" + job("t.a", "a") + "," + job("t.b", "b") + "]},"
                        + job("t.c", "c") + "]}");
        world.runs("b", "a");
        fetched("c").showsJson("parent_results", "[{'0':{'of':'t.a'},'1':{'of':'t.b'}}]");
    }

    // ---- steps that say what they need

    @Test
    void a_diamond_gives_results_by_name() {
        JobId id = world.create(
                "a",
                "{'steps':[" + step("x", "a", "") + "," + step("y", "b", ",'depends_on':['x']") + ","
                        + step("z", "c", ",'depends_on':['x']") + "," + step("end", "d", ",'depends_on':['y','z']")
                        + "]}");
        Shown first = fetched("a");
        first.showsJson("parent_results", "{}");
        world.ack(first, "{'of':'t.x'}");
        world.runs("c");
        assertThat(world.fetchOne("d")).isNull();
        world.runs("b");
        fetched("d").showsJson("parent_results", "{'x':{'of':'t.x'},'y':{'of':'t.y'},'z':{'of':'t.z'}}");
        world.show(id).is("running").shows("type", "dag");
    }

    @Test
    void conditions_decide_what_runs() {
        JobId id = world.create(
                "a",
                "{'steps':[" + step("x", "a", "") + "," + step("well", "b", ",'needs':['x']") + ","
                        + step("mend", "c", ",'needs':['x'],'run_if':'any_failed'") + ","
                        + step("always", "d", ",'needs':['well','mend'],'run_if':'all_done'") + "]}");
        world.fails("a");
        assertThat(world.states(id)).containsExactly("x=failed", "well=cancelled", "mend=pending", "always=waiting");
        world.runs("c", "d");
        world.show(id).is("failed");
    }

    @Test
    void a_failure_that_is_allowed_is_none() {
        JobId id = world.create(
                "a",
                "{'steps':[" + step("x", "a", ",'allow_failure':true") + "," + step("y", "b", ",'needs':['x']") + "]}");
        world.fails("a");
        assertThat(fetched("b").json().at("/parent_results/x/error/code").asString())
                .isEqualTo("handler_error");
        world.show(id).is("running");
    }

    @Test
    void a_workflow_can_fail_fast() {
        JobId id = world.create(
                "a",
                "{'on_failure':'fail_fast','steps':[" + step("x", "a", "") + "," + step("y", "b", "") + ","
                        + step("z", "c", ",'needs':['y']") + "]}");
        world.fails("a");
        assertThat(world.states(id)).containsExactly("x=failed", "y=cancelled", "z=cancelled");
        assertThat(world.fetchOne("b")).isNull();
        world.show(id).is("failed");
    }

    // ---- all or nothing

    @Test
    void without_room_for_all_first_jobs_nothing_is_stored() {
        bounded("b", 1, Overflow.REJECT);
        world.tell("b", enqueueWithoutId().to("b"));
        world.creates("a", "{'type':'group','jobs':[" + job("t.a", "a") + "," + job("t.b", "b") + "]}", Duration.ZERO)
                .rejected(ErrorCode.QUEUE_FULL);
        assertThat(world.fetchOne("a")).isNull();
        world.tell("a", ask(new ListWorkflows(null, null, 10, null))).shown().shows("running", 0);
    }

    /** A gateway looks at the room for these, before the workflow is written. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'chain','steps':[J,J,J]}",
                "{'type':'group','jobs':[J,J,J]}",
                "{'type':'batch','jobs':[J,J],'callbacks':{'on_complete':J,'on_failure':J}}",
                "{'type':'chain','steps':[{'type':'group','jobs':[J,J]},{'type':'group','jobs':[J,J,J]}]}",
                "{'type':'group','jobs':[{'type':'chain','steps':[J,J]},J,{'type':'batch','jobs':[J,J],'callbacks':{'on_success':J}}]}"
            })
    void the_jobs_that_begin_it_are_those_that_wait_for_no_other_step(String body) throws Exception {
        String workflow = body.replace("J", job("t.a", "a"));
        world.create("a", workflow);
        assertThat(depth("a"))
                .isEqualTo(WorkflowReader.read(WorkflowWorld.json(workflow))
                        .firstJobs()
                        .size());
    }

    @Test
    void it_waits_for_room_in_queues_that_block() {
        bounded("b", 1, Overflow.BLOCK);
        world.tell("b", enqueueWithoutId().to("b"));
        String body = "{'type':'group','jobs':[" + job("t.a", "a") + "," + job("t.b", "b") + "]}";
        world.at(
                world.log("a"),
                ask(new CreateWorkflow(WorkflowWorld.json(body), Duration.ofMinutes(1)))
                        .as("patient"));
        world.log("a").keepsWaiting("patient");
        assertThat(world.fetchOne("a")).isNull();
        Shown other = fetched("b");
        world.ack(other, "1");
        world.log("a").repliesTo("patient").shown().is("running");
        world.runs("a", "b");
    }

    @Test
    void an_id_is_taken_once() {
        String body =
                chain("a").replace("{'type':'chain'", "{'type':'chain','id':'01939a40-0000-7000-8000-000000000001'");
        world.creates("a", body, Duration.ZERO).shown().shows("id", "01939a40-0000-7000-8000-000000000001");
        world.creates("a", body, Duration.ZERO)
                .rejected(ErrorCode.DUPLICATE)
                .with("existing_workflow_id", "01939a40-0000-7000-8000-000000000001");
    }

    @Test
    void what_is_no_workflow_is_rejected() {
        world.creates("a", "{'type':'chain','steps':[]}", Duration.ZERO).rejected(ErrorCode.INVALID_WORKFLOW);
    }

    // ---- bounds

    @Test
    void a_chain_in_a_full_queue_takes_the_room_of_the_step_before() {
        bounded("a", 2, Overflow.REJECT);
        JobId one = world.create("a", chain("a", "a", "a"));
        JobId two = world.create("a", chain("a", "a", "a"));
        world.tell("a", enqueueWithoutId().to("a")).rejected(ErrorCode.QUEUE_FULL);
        for (int i = 0; i < 6; i++) {
            assertThat(depth("a")).isLessThanOrEqualTo(2);
            world.runs("a");
        }
        world.show(one).is("completed");
        world.show(two).is("completed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"REJECT", "BLOCK"})
    void steps_without_room_wait_in_the_line_and_never_exceed_the_bound(String strategy) {
        bounded("b", 3, Overflow.valueOf(strategy));
        JobId id = world.create(
                "a",
                "{'type':'chain','steps':[" + job("t.a", "a") + ",{'type':'group','jobs':["
                        + (job("t.b", "b") + ",").repeat(9) + job("t.b", "b") + "]}]}");
        world.runs("a");
        assertThat(world.step(id, "1.0").text("state")).isEqualTo("pending");
        world.step(id, "1.5").shows("waits.reason", "no_room").shows("waits.queue", "b");
        JobId waiting = JobId.parse(world.step(id, "1.4").text("job_id")).orElseThrow();
        world.tell("b", ask(new GetStepJobs(List.of(waiting))))
                .shown()
                .shows("waits.reason", "no_room")
                .shows("waits.place", 2);
        world.tell("b", enqueueWithoutId().to("b")).rejected(ErrorCode.QUEUE_FULL);
        for (int i = 0; i < 10; i++) {
            assertThat(depth("b")).isLessThanOrEqualTo(3);
            world.runs("b");
        }
        world.show(id).is("completed");
    }

    @Test
    void more_than_a_hundred_steps_are_placed_in_slices() {
        JobId id = world.create(
                "a",
                "{'type':'chain','steps':[" + job("t.a", "a") + ",{'type':'group','jobs':["
                        + (job("t.b", "b") + ",").repeat(249) + job("t.b", "b") + "]}]}");
        world.runs("a");
        assertThat(depth("b")).isEqualTo(100);
        for (int i = 0; i < 3; i++) world.cluster.after(Duration.ofMillis(10)).delivers();
        assertThat(depth("b")).isEqualTo(250);
        world.show(id).is("running");
    }

    @Test
    void a_queue_that_takes_nothing_in_fails_the_step() {
        JobId id = world.create("a", chain("a", "b"));
        world.tell("b", enqueueWithoutId().to("b"));
        fetched("b");
        world.tell("b", delete("b", Deletion.DISCARD));
        world.runs("a");
        world.show(id).is("failed").shows("errors.0.code", "queue_draining").shows("errors.0.step", "1");
    }

    @Test
    void a_step_in_a_paused_queue_says_so() {
        JobId id = world.create("a", chain("a", "b"));
        world.tell("b", pause("b"));
        world.runs("a");
        JobId placed = JobId.parse(world.step(id, "1").text("job_id")).orElseThrow();
        world.tell("b", ask(new GetStepJobs(List.of(placed)))).shown().shows("waits.reason", "queue_paused");
    }

    // ---- cancel, retry, time

    @Test
    void nothing_starts_after_a_cancellation_and_what_runs_ends_as_it_ends() {
        JobId id = world.create(
                "a",
                "{'type':'batch','jobs':[" + job("t.a", "a") + "," + job("t.b", "b") + "," + job("t.c", "c")
                        + "],'callbacks':{'on_complete':" + job("t.done", "done") + "}}");
        Shown running = fetched("b");
        world.cancels(id, false)
                .shown()
                .is("cancelled")
                .shows("steps_cancelled", 2)
                .shows("steps_cancelling", 0)
                .shows("steps_already_completed", 0);
        assertThat(world.fetchOne("a")).isNull();
        assertThat(world.fetchOne("c")).isNull();
        world.ack(running, "'kept'");
        world.step(id, "1").is("completed").showsJson("result", "'kept'");
        assertThat(world.fetchOne("done")).isNull();
        assertThat(world.states(id)).contains("on_complete=cancelled");
        world.cancels(id, false).rejected(ErrorCode.CONFLICT);
        world.retries(id).rejected(ErrorCode.CONFLICT);
    }

    @Test
    void what_waits_for_room_is_cancelled_too() {
        bounded("b", 1, Overflow.REJECT);
        JobId id = world.create(
                "a",
                "{'type':'chain','steps':[" + job("t.a", "a") + ",{'type':'group','jobs':[" + job("t.b", "b") + ","
                        + job("t.b", "b") + "]}]}");
        world.runs("a");
        world.cancels(id, true).shown().is("cancelled").shows("steps_cancelled", 2);
        assertThat(world.fetchOne("b")).isNull();
        assertThat(depth("b")).isZero();
    }

    @Test
    void what_has_failed_runs_again() {
        JobId id = world.create("a", chain("a", "b", "c"));
        world.runs("a");
        world.fails("b");
        world.retries(id).shown().is("running");
        assertThat(world.states(id)).containsExactly("0=completed", "1=pending", "2=waiting");
        Shown again = fetched("b");
        again.showsJson("parent_results", "[{'of':'t.a'}]");
        world.ack(again, "1");
        world.runs("c");
        world.show(id).is("completed").shows("metadata.failed_count", 0).shows("metadata.completed_count", 3);
    }

    @Test
    void a_callback_runs_once_in_the_life_of_a_workflow() {
        JobId id = world.create(
                "a",
                "{'steps':[" + step("x", "a", "") + "," + step("y", "b", "") + "],'callbacks':{'on_failure':"
                        + job("t.failure", "failure") + ",'on_success':" + job("t.success", "success") + "}}");
        world.fails("a");
        world.runs("b", "failure");
        world.show(id).is("completed");
        world.retries(id, "x").shown().is("running");
        world.runs("a");
        assertThat(world.fetchOne("failure")).isNull();
        world.runs("success");
        world.show(id).is("completed");
    }

    @Test
    void a_workflow_that_takes_too_long_fails() {
        JobId id = world.create(
                "a",
                "{'type':'batch','timeout':'PT1M','jobs':[" + job("t.a", "a") + "],'callbacks':{'on_failure':"
                        + job("t.failure", "failure") + "}}");
        world.cluster.after(Duration.ofMinutes(1)).delivers();
        assertThat(world.fetchOne("a")).isNull();
        world.runs("failure");
        world.show(id).is("failed").shows("errors.0.code", "timeout");
    }

    @Test
    void it_is_forgotten_after_its_retention() {
        JobId id = world.create("a", chain("a").replace("'name'", "'retention':'PT1H','name'"));
        world.runs("a");
        world.cluster.after(Duration.ofMinutes(59)).delivers();
        world.show(id).is("completed");
        world.cluster.after(Duration.ofMinutes(2)).delivers();
        world.get(id).rejected(ErrorCode.NOT_FOUND);
    }

    // ---- who sees what

    @Test
    void lists_the_newest_first_and_filters() {
        JobId one = world.create("a", chain("a"));
        world.cluster.after(Duration.ofSeconds(1)).delivers();
        JobId two = world.create("a", chain("a").replace("'c'", "'other'"));
        world.runs("a");
        var all = world.tell("a", ask(new ListWorkflows(null, null, 10, null)));
        assertThat(all.lines().stream().skip(1).map(WorkflowWorld::id)).containsExactly(two, one);
        all.shown().shows("running", 1);
        assertThat(world.tell("a", ask(new ListWorkflows("completed", null, 10, null))).lines().stream()
                        .skip(1)
                        .map(WorkflowWorld::id))
                .containsExactly(one);
        assertThat(world.tell("a", ask(new ListWorkflows(null, "other", 10, null))).lines().stream()
                        .skip(1)
                        .map(WorkflowWorld::id))
                .containsExactly(two);
        world.tell("a", ask(new ListWorkflows(null, null, 1, null))).shown().shows("unshown", 1);
        world.tell("a", ask(new ListWorkflows("strange", null, 10, null))).rejected(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void a_caller_that_may_not_see_all_of_its_queues_sees_none_of_it() {
        JobId id = world.create("a", chain("a", "b"));
        Identity confined = new Identity("k", List.of("a"), null);
        world.at(
                        world.cluster.log(world.home(id)),
                        ask(new GetWorkflow(id, 1, 10, false)).sentBy(confined))
                .rejects(ErrorCode.NOT_FOUND);
    }

    @Test
    void a_restart_in_the_middle_changes_nothing() {
        JobId id = world.create("a", batch());
        world.runs("a");
        world.cluster.routing().logs().forEach(log -> world.cluster.log(log).restarts());
        world.runs("b", "complete", "success");
        world.show(id).is("completed");
        assertThat(id(world.get(id).shown())).isEqualTo(id);
    }

    // ---- those that need attention

    private Shown troubles() {
        return world.tell("a", ask(new Inspect())).shown();
    }

    @Test
    void one_that_has_failed_is_told_for_a_day_or_until_it_is_retried() {
        JobId retried = world.create("a", chain("a"));
        world.fails("a");
        JobId id = world.create("a", chain("a"));
        world.fails("a");
        troubles()
                .shows("failed_workflows.count", 2)
                .shows("failed_workflows.first.0.id", id.toString())
                .shows("failed_workflows.first.0.errors.0.code", "handler_error");
        world.retries(retried);
        troubles().shows("failed_workflows.count", 1);
        world.runs("a");
        world.cluster.after(Duration.ofDays(1).plusSeconds(1)).delivers();
        troubles().shows("failed_workflows.count", 0);
    }

    @Test
    void one_of_which_no_step_ends_is_told_until_one_does() {
        JobId id = world.create("a", chain("a", "b"));
        troubles().showsJson("quiet_workflows", "[]");
        world.cluster.after(Duration.ofMinutes(11)).delivers();
        troubles().showsJson("quiet_workflows", "['" + id + "']");
        world.runs("a");
        troubles().showsJson("quiet_workflows", "[]");
        world.cluster.after(Duration.ofMinutes(11)).delivers();
        troubles().showsJson("quiet_workflows", "['" + id + "']");
        world.cancels(id, true);
        troubles().showsJson("quiet_workflows", "[]");
    }
}
