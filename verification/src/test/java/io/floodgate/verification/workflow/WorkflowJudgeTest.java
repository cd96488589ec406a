package io.floodgate.verification.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.workflow.PlannedStep.Condition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The judge finds histories that are broken, and only those. */
class WorkflowJudgeTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final PlannedWorkflow chain = new PlannedWorkflow(
            "c",
            List.of(
                    new PlannedStep("0", List.of(), Condition.ALL_SUCCEEDED),
                    new PlannedStep("1", List.of("0"), Condition.ALL_SUCCEEDED)),
            new byte[0]);
    private final PlannedWorkflow batch = new PlannedWorkflow(
            "b",
            List.of(
                    new PlannedStep("0", List.of(), Condition.ALL_SUCCEEDED),
                    new PlannedStep("1", List.of(), Condition.ALL_SUCCEEDED),
                    new PlannedStep("on_complete", List.of("0", "1"), Condition.ALL_DONE),
                    new PlannedStep("on_success", List.of("0", "1"), Condition.ALL_SUCCEEDED)),
            new byte[0]);
    private final List<StepEvent> events = new ArrayList<>();
    private final List<String> fired = new ArrayList<>();
    private long time;

    private void runs(String workflow, String step, boolean well) {
        runs(workflow, step, step, well);
    }

    private void runs(String workflow, String step, String job, boolean well) {
        at(workflow, step, job, "job.enqueued");
        at(workflow, step, job, "job.started");
        at(workflow, step, job, well ? "job.completed" : "job.discarded");
    }

    private void at(String workflow, String step, String job, String type) {
        events.add(new StepEvent(workflow, step, job, type, START.plusMillis(time++)));
    }

    private List<String> violations(PlannedWorkflow planned, String state) {
        return WorkflowJudge.violations(new WorkflowHistory(
                Map.of(planned.id(), planned),
                Set.of(planned.id()),
                Set.of(),
                events,
                fired,
                Map.of(planned.id(), state)));
    }

    private void batchRuns(boolean well) {
        runs("b", "0", well);
        runs("b", "1", true);
        runs("b", "on_complete", true);
        fired.add("b on_complete");
        if (!well) return;
        runs("b", "on_success", true);
        fired.add("b on_success");
    }

    @Test
    void sound_histories_pass() {
        runs("c", "0", true);
        runs("c", "1", true);
        assertThat(violations(chain, "completed")).isEmpty();
        batchRuns(true);
        assertThat(violations(batch, "completed")).isEmpty();
    }

    @Test
    void failures_end_a_chain_and_leave_out_callbacks() {
        runs("c", "0", false);
        assertThat(violations(chain, "failed")).isEmpty();
        batchRuns(false);
        assertThat(violations(batch, "completed")).isEmpty();
    }

    @Test
    void finds_a_step_that_ran_twice() {
        runs("c", "0", true);
        runs("c", "1", "first", true);
        runs("c", "1", "second", true);
        assertThat(violations(chain, "completed")).anyMatch(found -> found.contains("has 2 jobs"));
    }

    @Test
    void finds_a_step_that_never_ran() {
        runs("c", "0", true);
        assertThat(violations(chain, "completed")).anyMatch(found -> found.contains("has 0 jobs"));
    }

    @Test
    void finds_a_step_that_ran_after_a_failure() {
        runs("c", "0", false);
        runs("c", "1", true);
        assertThat(violations(chain, "failed")).anyMatch(found -> found.contains("ended otherwise"));
    }

    @Test
    void finds_a_step_that_began_too_early() {
        at("c", "1", "1", "job.enqueued");
        runs("c", "0", true);
        at("c", "1", "1", "job.completed");
        assertThat(violations(chain, "completed")).anyMatch(found -> found.contains("before step 0 ended"));
    }

    @Test
    void finds_a_job_that_ended_twice() {
        runs("c", "0", true);
        runs("c", "1", true);
        at("c", "1", "1", "job.discarded");
        assertThat(violations(chain, "completed")).anyMatch(found -> found.contains("has ended twice"));
    }

    @Test
    void finds_a_callback_that_fired_twice_or_never() {
        batchRuns(true);
        fired.add("b on_success");
        fired.remove("b on_complete");
        assertThat(violations(batch, "completed"))
                .anyMatch(found -> found.contains("on_success: fired 2 times"))
                .anyMatch(found -> found.contains("on_complete: fired 0 times"));
    }

    @Test
    void finds_a_workflow_that_has_not_ended_or_is_gone() {
        runs("c", "0", true);
        assertThat(violations(chain, "running")).anyMatch(found -> found.contains("is running in the end"));
        assertThat(violations(chain, "missing")).anyMatch(found -> found.contains("is missing in the end"));
    }

    @Test
    void finds_jobs_of_a_workflow_that_was_rejected() {
        runs("c", "0", true);
        WorkflowHistory history =
                new WorkflowHistory(Map.of("c", chain), Set.of(), Set.of("c"), events, fired, Map.of());
        assertThat(WorkflowJudge.violations(history)).anyMatch(found -> found.contains("was rejected"));
    }

    @Test
    void measures_how_soon_a_callback_follows() {
        batchRuns(true);
        WorkflowHistory history =
                new WorkflowHistory(Map.of("b", batch), Set.of("b"), Set.of(), events, fired, Map.of("b", "completed"));
        assertThat(WorkflowJudge.callbackDelay(history, "b", "on_complete")).isEqualTo(1);
        assertThat(WorkflowJudge.callbackDelay(history, "b", "on_failure")).isNull();
    }
}
