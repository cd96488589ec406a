package io.floodgate.processor.workflow;

import static io.floodgate.processor.workflow.WorkflowWorld.job;
import static io.floodgate.processor.workflow.WorkflowWorld.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Answered;
import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Shown;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.SignalCommand.ForgetSignal;
import io.floodgate.topics.command.SignalCommand.GetSignal;
import io.floodgate.topics.command.SignalCommand.SendSignal;
import io.floodgate.topics.command.SignalName;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that wait for signals: whatever comes first decides, once. The home of the signal is in any partition of four. */
class StepWaitsTest extends Commands {
    private final WorkflowWorld world = new WorkflowWorld(4);

    private static String order(String more) {
        return "{'steps':[" + step("pay", "a", "")
                + ",{'id':'paid','depends_on':['pay'],'wait_for':{'event':'payment','key':'order-17'" + more + "}},"
                + step("ship", "b", ",'depends_on':['paid']") + "]}";
    }

    private Answered sends(String event, String key, @Nullable String data) {
        SendSignal signal = new SendSignal(null, event, key, data == null ? null : WorkflowWorld.json(data), null);
        return at(event, key, signal);
    }

    private Answered at(String event, String key, io.floodgate.topics.command.Command command) {
        var home = world.cluster.routing().ofSignal(new SignalName("_default", event, key));
        return world.at(world.cluster.log(home), ask(command)).replies();
    }

    private Shown fetched(String queue) {
        return Objects.requireNonNull(world.fetchOne(queue), () -> "nothing in " + queue);
    }

    @Test
    void a_signal_ends_the_step_that_waits_for_it_and_what_it_brings_is_its_result() {
        JobId id = world.create("a", order(""));
        world.runs("a");
        assertThat(world.states(id)).containsExactly("pay=completed", "paid=active", "ship=waiting");
        world.step(id, "paid")
                .shows("kind", "wait")
                .shows("type", "wait_for")
                .shows("waits.reason", "signal")
                .shows("waits.event", "payment")
                .shows("waits.key", "order-17");
        assertThat(world.fetchOne("b")).isNull();
        sends("payment", "order-17", "{'amount':12}")
                .shown()
                .shows("duplicate", false)
                .shows("steps_signalled", 1);
        fetched("b").showsJson("parent_results", "{'pay':{'of':'t.pay'},'paid':{'amount':12}}");
        world.step(id, "paid").is("completed").showsJson("result", "{'amount':12}");
    }

    @Test
    void a_signal_that_comes_before_the_step_counts() {
        sends("payment", "order-17", "1").shown().shows("steps_signalled", 0);
        JobId id = world.create("a", order(""));
        world.runs("a");
        fetched("b").showsJson("parent_results.paid", "1");
        assertThat(world.states(id)).contains("paid=completed");
    }

    @Test
    void the_second_of_two_signals_counts_for_nothing() {
        JobId id = world.create("a", order(""));
        world.runs("a");
        sends("payment", "order-17", "1");
        sends("payment", "order-17", "2")
                .shown()
                .shows("duplicate", true)
                .shows("data", 1)
                .shows("steps_signalled", 0);
        world.step(id, "paid").showsJson("result", "1");
        JobId other = world.create("a", order(""));
        world.runs("a");
        world.step(other, "paid").is("completed").showsJson("result", "1");
    }

    @Test
    void a_step_that_waits_too_long_has_failed_and_a_late_signal_changes_nothing() {
        JobId id = world.create("a", order(",'timeout':'PT1H'"));
        world.runs("a");
        String until = world.step(id, "paid").text("waits.until");
        assertThat(until).isNotEmpty();
        world.cluster.after(Duration.ofMinutes(59)).delivers();
        assertThat(world.states(id)).contains("paid=active");
        world.cluster.after(Duration.ofMinutes(1)).delivers();
        world.step(id, "paid").is("failed").shows("error.code", "wait_timeout");
        sends("payment", "order-17", "1").shown().shows("steps_signalled", 0);
        assertThat(world.states(id)).containsExactly("pay=completed", "paid=failed", "ship=cancelled");
        world.show(id).is("failed").shows("errors.0.code", "wait_timeout");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void of_a_signal_and_the_end_of_the_time_that_cross_one_counts(boolean signalIsFirst) {
        JobId id = world.create("a", order(",'timeout':'PT1H'"));
        world.runs("a");
        var home = world.cluster.routing().ofSignal(new SignalName("_default", "payment", "order-17"));
        assertThat(home).isNotEqualTo(world.home(id));
        world.cluster.receives(
                home.partition(), ask(new SendSignal(null, "payment", "order-17", WorkflowWorld.json("1"), null)));
        if (signalIsFirst) world.cluster.delivers();
        world.cluster.after(Duration.ofHours(1)).delivers();
        world.step(id, "paid").is(signalIsFirst ? "completed" : "failed");
        assertThat(world.states(id)).contains(signalIsFirst ? "ship=pending" : "ship=cancelled");
    }

    @Test
    void a_retry_waits_again_and_finds_the_signal_that_came_too_late() {
        JobId id = world.create("a", order(",'timeout':'PT1H'"));
        world.runs("a");
        world.cluster.after(Duration.ofHours(1)).delivers();
        sends("payment", "order-17", "1");
        world.retries(id).shown().is("running");
        fetched("b").showsJson("parent_results.paid", "1");
    }

    @Test
    void conditions_look_at_what_has_come_and_whether_anything_has() {
        String body = "{'steps':[" + step("x", "a", "")
                + ",{'id':'approval','depends_on':['x'],'allow_failure':true,'wait_for':{'event':'approval','timeout':'PT1H'}},"
                + step("go", "b", ",'depends_on':['approval'],'run_if':{'at':'/approved','equals':true}") + ","
                + step(
                        "no",
                        "c",
                        ",'depends_on':['approval'],'run_if':{'ended':'completed','at':'/approved','not_equals':true}")
                + "," + step("late", "d", ",'depends_on':['approval'],'run_if':{'ended':'timed_out'}") + "]}";
        JobId yes = world.create("a", body);
        world.runs("a");
        sends("approval", yes.toString(), "{'approved':true,'by':'ada'}");
        assertThat(world.states(yes)).contains("go=pending", "no=skipped", "late=skipped");
        world.runs("b");
        world.show(yes).is("completed");
        JobId no = world.create("a", body);
        world.runs("a");
        sends("approval", no.toString(), "{'approved':false}");
        assertThat(world.states(no)).contains("go=skipped", "no=pending", "late=skipped");
        JobId late = world.create("a", body);
        world.runs("a");
        world.cluster.after(Duration.ofHours(1)).delivers();
        assertThat(world.states(late)).contains("go=skipped", "no=skipped", "late=pending");
        world.runs("d");
        world.show(late).is("completed");
    }

    @Test
    void all_else_that_a_step_needs_has_to_end_well_whatever_its_condition_says() {
        JobId id = world.create(
                "a",
                "{'steps':[" + step("x", "a", "") + "," + step("y", "b", "") + ","
                        + step("mend", "c", ",'depends_on':['x','y'],'run_if':{'step':'x','ended':'failed'}") + "]}");
        world.fails("a");
        assertThat(world.states(id)).contains("mend=waiting");
        world.fails("b");
        assertThat(world.states(id)).contains("mend=cancelled");
    }

    @Test
    void nothing_waits_any_more_once_the_workflow_is_cancelled() {
        JobId id = world.create("a", order(",'timeout':'PT1H'"));
        world.runs("a");
        world.cancels(id, false).shown().is("cancelled").shows("steps_cancelling", 0);
        assertThat(world.states(id)).containsExactly("pay=completed", "paid=cancelled", "ship=cancelled");
        at("payment", "order-17", new GetSignal(null, "payment", "order-17")).rejected(ErrorCode.NOT_FOUND);
        world.cluster.after(Duration.ofHours(2)).delivers();
        assertThat(world.states(id)).contains("paid=cancelled");
    }

    @Test
    void a_workflow_may_begin_with_a_wait_and_its_time_ends_it() {
        JobId id = world.create(
                "a", "{'type':'chain','timeout':'PT1M','steps':[{'wait_for':{'event':'go'}}," + job("t.a", "a") + "]}");
        assertThat(world.states(id)).containsExactly("0=active", "1=waiting");
        world.cluster.after(Duration.ofMinutes(1)).delivers();
        world.show(id).is("failed").shows("errors.0.code", "timeout");
        assertThat(world.states(id)).containsExactly("0=cancelled", "1=cancelled");
    }

    @Test
    void more_than_a_hundred_steps_are_told_in_slices() {
        for (int i = 0; i < 25; i++)
            world.create(
                    "a",
                    "{'type':'group','jobs':[" + "{'wait_for':{'event':'go','key':'all'}},".repeat(10) + job("t.a", "a")
                            + "]}");
        at("go", "all", new GetSignal(null, "go", "all")).shown().shows("steps_waiting", 250);
        at("go", "all", new SendSignal(null, "go", "all", null, Duration.ofMillis(1)))
                .shown()
                .shows("steps_signalled", 250);
        at("go", "all", new ForgetSignal(null, "go", "all")).rejected(ErrorCode.CONFLICT);
        for (int i = 0; i < 9; i++) world.cluster.after(Duration.ofMillis(10)).delivers();
        at("go", "all", new GetSignal(null, "go", "all")).rejected(ErrorCode.NOT_FOUND);
        for (int i = 0; i < 25; i++) world.runs("a");
        assertThat(world.log("a").engine().workflows().running()).isZero();
    }

    @Test
    void a_signal_is_forgotten_after_its_time_or_on_request() {
        sends("payment", "order-17", "1");
        world.cluster.after(Duration.ofDays(1).plusSeconds(1)).delivers();
        at("payment", "order-17", new GetSignal(null, "payment", "order-17")).rejected(ErrorCode.NOT_FOUND);
        sends("payment", "order-17", "2").shown().shows("duplicate", false);
        at("payment", "order-17", new ForgetSignal(null, "payment", "order-17"))
                .shown()
                .shows("data", 2);
        at("payment", "order-17", new ForgetSignal(null, "payment", "order-17")).rejected(ErrorCode.NOT_FOUND);
        sends("payment", "order-17", "3").shown().shows("duplicate", false);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void any_partition_takes_a_signal(int partition) {
        JobId id = world.create("a", order(""));
        world.runs("a");
        world.at(
                world.cluster.log(partition),
                ask(new SendSignal(null, "payment", "order-17", WorkflowWorld.json("1"), null)));
        assertThat(world.states(id)).contains("paid=completed");
    }

    @Test
    void signals_of_another_tenant_are_none() {
        JobId id = world.create("a", order(""));
        world.runs("a");
        at("payment", "order-17", new SendSignal("acme", "payment", "order-17", null, null));
        assertThat(world.states(id)).contains("paid=active");
    }

    @Test
    void a_restart_in_the_middle_changes_nothing() {
        JobId id = world.create("a", order(",'timeout':'PT1H'"));
        world.runs("a");
        world.cluster.routing().logs().forEach(log -> world.cluster.log(log).restarts());
        sends("payment", "order-17", "1");
        world.cluster.routing().logs().forEach(log -> world.cluster.log(log).restarts());
        world.runs("b");
        world.show(id).is("completed");
        world.cluster.after(Duration.ofHours(2)).delivers();
        world.show(id).is("completed");
    }

    // ---- a job for each element

    private static String each(String list) {
        return "{'steps':[" + step("list", "a", "") + ","
                + step("each", "b", ",'depends_on':['list'],'for_each':" + list) + ","
                + step("sum", "c", ",'depends_on':['each']") + "]}";
    }

    @Test
    void a_step_has_a_job_for_each_element_of_a_list() {
        JobId id = world.create("a", each("{'at':'/items'}"));
        world.ack(fetched("a"), "{'items':['x',{'y':1}]}");
        assertThat(world.states(id))
                .containsExactly("list=completed", "each=active", "sum=waiting", "each.0=pending", "each.1=pending");
        Shown first = fetched("b");
        first.showsJson("args", "['x']").shows("workflow_step", "each.0");
        world.ack(first, "10");
        Shown second = fetched("b");
        second.showsJson("args", "[{'y':1}]");
        world.ack(second, "20");
        fetched("c").showsJson("parent_results.each", "{'0':10,'1':20}");
    }

    @Test
    void an_empty_list_is_done_at_once() {
        JobId id = world.create("a", each("{}"));
        world.ack(fetched("a"), "[]");
        assertThat(world.states(id)).containsExactly("list=completed", "each=completed", "sum=pending");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'items':1}", "{'items':[1,2,3]}", "null"})
    void what_is_no_list_or_a_longer_one_fails_the_step(String result) {
        JobId id = world.create("a", each("{'at':'/items','max':2}"));
        world.ack(fetched("a"), result);
        world.step(id, "each").is("failed");
        world.show(id).is("failed").shows("errors.0.code", "no_list").shows("errors.0.step", "each");
    }

    @Test
    void a_retry_runs_only_the_elements_that_have_failed() {
        JobId id = world.create("a", each("{}"));
        world.ack(fetched("a"), "[1,2,3]");
        world.runs("b");
        world.fails("b");
        world.runs("b");
        world.show(id).is("failed");
        world.retries(id).shown().is("running");
        Shown again = fetched("b");
        again.showsJson("args", "[2]");
        assertThat(world.fetchOne("b")).isNull();
        world.ack(again, "1");
        world.runs("c");
        world.show(id).is("completed").shows("jobs_total", 5);
    }

    // ---- a callback at the first failure

    @Test
    void a_callback_need_not_wait_for_the_others() {
        JobId id = world.create(
                "a",
                "{'type':'batch','jobs':[" + job("t.a", "a") + "," + job("t.b", "b") + "," + job("t.c", "c")
                        + "],'callbacks':{'on_first_failure':" + job("t.alarm", "alarm") + ",'on_complete':"
                        + job("t.done", "done") + "}}");
        world.fails("a");
        world.runs("alarm");
        assertThat(world.fetchOne("done")).isNull();
        world.fails("b");
        assertThat(world.fetchOne("alarm")).isNull();
        world.runs("c", "done");
        world.show(id).is("completed");
        assertThat(world.states(id)).contains("on_first_failure=completed", "on_complete=completed");
    }

    @Test
    void without_a_failure_it_is_skipped() {
        JobId id = world.create(
                "a",
                "{'type':'batch','jobs':[" + job("t.a", "a") + "],'callbacks':{'on_first_failure':"
                        + job("t.alarm", "alarm") + "}}");
        world.runs("a");
        world.show(id).is("completed");
        assertThat(world.states(id)).contains("on_first_failure=skipped");
        assertThat(List.of(world.fetchOne("alarm") == null)).containsExactly(true);
    }
}
