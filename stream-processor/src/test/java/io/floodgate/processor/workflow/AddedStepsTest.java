package io.floodgate.processor.workflow;

import static io.floodgate.processor.testing.Commands.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.SignalCommand.SendSignal;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that come to a workflow while it runs; the queues a to d are in different ones of 4 partitions. */
class AddedStepsTest {
    private final WorkflowWorld world = new WorkflowWorld(4);

    private static String step(String id, String queue, String... needs) {
        return "{'id':'%s','type':'t.%s','args':[],'queue':'%s','max_attempts':1,'depends_on':[%s]}"
                .formatted(id, id, queue, needs.length == 0 ? "" : "'" + String.join("','", needs) + "'");
    }

    private JobId graph(String more) {
        return world.create("a", "{'steps':[" + step("plan", "a") + "," + step("end", "b", "plan") + "]" + more + "}");
    }

    private Shown fetched(WorkflowWorld from, String queue) {
        return Objects.requireNonNull(from.fetchOne(queue), () -> "nothing in " + queue);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void a_step_that_runs_adds_others_which_get_its_result_and_the_workflow_waits_for_them(int partitions) {
        WorkflowWorld w = new WorkflowWorld(partitions);
        JobId id = w.create("a", "{'steps':[" + step("plan", "a") + "]}");
        Shown plan = fetched(w, "a");

        w.addsSteps(id, step("x", "c", "plan") + "," + step("y", "d", "x", "plan"))
                .shown()
                .shows("jobs_total", 3);

        assertThat(w.fetchOne("c")).isNull();
        w.ack(plan, "'parts'");
        fetchedX(w);
        w.runs("d");
        w.show(id).is("completed").shows("jobs_completed", 3);
        assertThat(w.states(id)).containsExactly("plan=completed", "x=completed", "y=completed");
        assertThat(w.step(id, "y").toString()).contains("x");
    }

    private void fetchedX(WorkflowWorld w) {
        Shown x = fetched(w, "c");
        x.shows("workflow_step", "x").showsJson("parent_results", "{'plan':'parts'}");
        w.ack(x, "1");
    }

    @Test
    void what_needs_only_steps_that_have_ended_begins_at_once() {
        JobId id = graph("");
        world.runs("a");
        world.addsSteps(id, step("x", "c", "plan"));
        world.runs("c", "b");
        world.show(id).is("completed");
    }

    @ParameterizedTest
    @CsvSource({"all_succeeded, cancelled", "any_failed, pending", "all_done, pending"})
    void a_need_that_has_failed_counts_as_it_would_have_from_the_beginning(String runIf, String state) {
        JobId id = world.create("a", "{'steps':[" + step("plan", "a") + "," + step("other", "b") + "]}");
        world.fails("a");
        world.addsSteps(id, step("x", "c", "plan").replace("'max_", "'run_if':'" + runIf + "','max_"));
        assertThat(world.states(id)).contains("x=" + state);
    }

    @Test
    void callbacks_wait_for_them() {
        JobId id = graph(",'callbacks':{'on_success':{'type':'t.s','args':[],'queue':'d'}}");
        world.runs("a");
        world.addsSteps(id, step("x", "c", "end"));
        world.runs("b");
        assertThat(world.fetchOne("d")).isNull();
        world.runs("c", "d");
        world.show(id).is("completed").shows("jobs_total", 3);
    }

    @Test
    void they_stay_when_a_partition_restarts_and_when_the_workflow_is_retried() {
        JobId id = graph("");
        world.addsSteps(id, step("x", "c", "plan"));
        world.cluster.log(world.home(id)).restarts();
        world.fails("a");
        assertThat(world.states(id)).containsExactly("plan=failed", "end=cancelled", "x=cancelled");
        world.show(id).is("failed");
        world.retries(id);
        world.runs("a", "c", "b");
        world.show(id).is("completed").shows("jobs_completed", 3);
    }

    @Test
    void one_that_waits_for_a_signal_does() {
        JobId id = graph("");
        world.runs("a");
        world.addsSteps(
                id, "{'id':'paid','wait_for':{'event':'payment','key':'k'}}," + step("ship", "c", "paid", "plan"));
        world.runs("b");
        assertThat(world.fetchOne("c")).isNull();
        world.at(world.log("d"), ask(new SendSignal(null, "payment", "k", null, Duration.ofDays(1))));
        world.runs("c");
        world.show(id).is("completed");
    }

    @Test
    void the_same_step_again_is_rejected_and_so_the_same_request() {
        JobId id = graph("");
        world.addsSteps(id, step("x", "c", "plan"));
        world.addsSteps(id, step("x", "c", "plan")).rejected(ErrorCode.CONFLICT).with("step", "x");
        world.show(id).shows("jobs_total", 3);
    }

    @Test
    void nothing_comes_in_of_a_request_with_an_unknown_step_or_a_callback_as_a_need() {
        JobId id = graph(",'callbacks':{'on_success':{'type':'t.s','args':[],'queue':'d'}}");
        world.addsSteps(id, step("x", "c") + "," + step("y", "c", "nowhere"))
                .rejected(ErrorCode.INVALID_REQUEST)
                .with("step", "y");
        world.addsSteps(id, step("x", "c", "on_success")).rejected(ErrorCode.INVALID_REQUEST);
        assertThat(world.fetchOne("c")).isNull();
        world.show(id).shows("jobs_total", 2);
    }

    @Test
    void a_workflow_that_has_ended_was_cancelled_or_has_failed_fast_takes_none() {
        JobId ended = graph("");
        world.runs("a", "b");
        world.addsSteps(ended, step("x", "c")).rejected(ErrorCode.CONFLICT).with("current_state", "completed");
        JobId cancelled = graph("");
        world.cancels(cancelled, false);
        world.addsSteps(cancelled, step("x", "c")).rejected(ErrorCode.CONFLICT);
        JobId failed = world.create(
                "a", "{'on_failure':'fail_fast','steps':[" + step("plan", "a") + "," + step("other", "b") + "]}");
        fetched(world, "b");
        world.fails("a");
        world.addsSteps(failed, step("x", "c")).rejected(ErrorCode.CONFLICT);
        assertThat(world.fetchOne("c")).isNull();
    }

    @Test
    void a_chain_takes_none_and_a_graph_takes_no_jobs_without_ids() {
        JobId chain = world.create(
                "a", "{'type':'chain','steps':[" + step("plan", "a").replace(",'depends_on':[]", "") + "]}");
        world.addsSteps(chain, step("x", "c")).rejected(ErrorCode.INVALID_REQUEST);
        world.adds(graph(""), WorkflowWorld.job("t.c", "c")).rejected(ErrorCode.INVALID_REQUEST);
    }
}
