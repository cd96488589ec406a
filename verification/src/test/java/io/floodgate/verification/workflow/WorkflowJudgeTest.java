package io.floodgate.verification.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.workflow.PlannedStep.Condition;
import io.floodgate.verification.workflow.WorkflowHistory.ClientsSeen;
import io.floodgate.verification.workflow.WorkflowRetries.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The judge finds histories that are broken, and only those. */
class WorkflowJudgeTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String HOME = "job_";

    private final PlannedWorkflow chain = new PlannedWorkflow(
            "c",
            List.of(
                    new PlannedStep("0", List.of(), Condition.ALL_SUCCEEDED),
                    new PlannedStep("1", List.of("0"), Condition.ALL_SUCCEEDED)),
            new byte[0],
            false);
    private final PlannedWorkflow batch = new PlannedWorkflow(
            "b",
            List.of(
                    new PlannedStep("0", List.of(), Condition.ALL_SUCCEEDED),
                    new PlannedStep("1", List.of(), Condition.ALL_SUCCEEDED),
                    new PlannedStep("on_complete", List.of("0", "1"), Condition.ALL_DONE),
                    new PlannedStep("on_success", List.of("0", "1"), Condition.ALL_SUCCEEDED),
                    new PlannedStep("on_failure", List.of("0", "1"), Condition.ANY_FAILED)),
            new byte[0],
            false);
    private final List<StepEvent> events = new ArrayList<>();
    private final List<Retry> retries = new ArrayList<>();
    private final Map<String, Instant> stopped = new HashMap<>();
    private final Set<String> acked = new TreeSet<>();
    private final Map<String, Instant> signalled = new HashMap<>();
    private long time;

    private Instant now() {
        return START.plusMillis(time);
    }

    private void at(String workflow, String step, String job, String type) {
        time++;
        events.add(new StepEvent(workflow, step, job, "q", type, now()));
    }

    private void of(String workflow, String type) {
        at(workflow, "", "", "workflow." + type);
    }

    /** Without the home, which may know it later, or never. */
    private void starts(String workflow, String step, String job) {
        at(workflow, step, job, "job.enqueued");
        at(workflow, step, job, "job.started");
    }

    private void ends(String workflow, String step, String job, boolean well) {
        at(workflow, step, job, well ? "job.completed" : "job.discarded");
        if (!step.startsWith(PlannedStep.CALLBACK))
            at(workflow, step, job, "workflow." + HOME + (well ? "completed" : "failed"));
    }

    private void runs(String workflow, String step, String job, boolean well) {
        starts(workflow, step, job);
        ends(workflow, step, job, well);
    }

    private void runs(String workflow, String step, boolean well) {
        runs(workflow, step, workflow + step, well);
    }

    private void fires(String callback) {
        at("b", callback, "", "workflow.callback_fired");
        runs("b", callback, true);
    }

    private void retries(String subject) {
        retries.add(new Retry(subject, now(), now().plusMillis(1)));
    }

    private List<String> violations(PlannedWorkflow planned, String state) {
        return WorkflowJudge.violations(history(planned, state));
    }

    private WorkflowHistory history(PlannedWorkflow planned, String state) {
        return new WorkflowHistory(
                Map.of(planned.id(), planned),
                Set.of(planned.id()),
                Set.of(),
                events,
                Map.of(planned.id(), state),
                new ClientsSeen(retries, stopped, acked, signalled));
    }

    private void awaitedRuns() {
        runs("s", "0", true);
        at("s", "1", "", "workflow.step_completed");
        runs("s", "2", true);
        of("s", "completed");
    }

    private static PlannedWorkflow awaited() {
        return PlannedWorkflow.awaited("s", () -> PlannedWorkflow.job("q", false, ""), false);
    }

    @Test
    void what_follows_from_a_signal_begins_after_it_and_a_wait_ends_once() {
        awaitedRuns();
        signalled.put("s", START);
        assertThat(violations(awaited(), "completed")).isEmpty();
        signalled.put("s", START.plus(Duration.ofHours(1)));
        assertThat(violations(awaited(), "completed"))
                .singleElement()
                .asString()
                .contains("before its signal was sent");
        signalled.put("s", START);
        at("s", "1", "", "workflow.step_failed");
        assertThat(violations(awaited(), "completed")).anyMatch(found -> found.contains("step 1: ended"));
    }

    private void chainRuns() {
        runs("c", "0", true);
        runs("c", "1", true);
        of("c", "completed");
    }

    private void batchRuns() {
        runs("b", "0", true);
        runs("b", "1", true);
        fires("on_complete");
        fires("on_success");
        of("b", "completed");
    }

    /** One of its jobs fails, and completes after a retry of the workflow. */
    private void batchIsMended() {
        runs("b", "0", false);
        runs("b", "1", true);
        fires("on_complete");
        fires("on_failure");
        of("b", "completed");
        retries("b");
        of("b", "resumed");
        runs("b", "0", "second", true);
        fires("on_success");
        of("b", "completed");
    }

    private static void finds(List<String> violations, String what) {
        assertThat(violations).anyMatch(found -> found.contains(what));
    }

    @Nested
    class SoundHistories {
        @Test
        void pass_without_a_failure() {
            chainRuns();
            assertThat(violations(chain, "completed")).isEmpty();
            batchRuns();
            assertThat(violations(batch, "completed")).isEmpty();
        }

        @Test
        void pass_with_a_retry_of_the_workflow() {
            batchIsMended();
            assertThat(violations(batch, "completed")).isEmpty();
        }

        @Test
        void pass_with_a_retry_of_a_dead_job_or_of_its_queue() {
            for (String subject : List.of("c0", "q")) {
                events.clear();
                retries.clear();
                runs("c", "0", false);
                of("c", "failed");
                retries(subject);
                at("c", "0", "c0", "dead_letter.retried");
                of("c", "resumed");
                at("c", "0", "c0", "job.started");
                ends("c", "0", "c0", true);
                runs("c", "1", true);
                of("c", "completed");
                assertThat(violations(chain, "completed")).as(subject).isEmpty();
            }
        }

        @Test
        void pass_when_a_job_is_retried_that_has_a_successor() {
            runs("c", "0", "first", false);
            of("c", "failed");
            retries("c");
            of("c", "resumed");
            retries("first");
            at("c", "0", "first", "dead_letter.retried");
            runs("c", "0", "second", true);
            at("c", "0", "first", "job.started");
            at("c", "0", "first", "job.completed");
            runs("c", "1", true);
            of("c", "completed");
            assertThat(violations(chain, "completed")).isEmpty();
        }

        @Test
        void pass_when_what_a_failure_cancelled_runs_after_a_retry() {
            PlannedWorkflow failsFast = new PlannedWorkflow("b", batch.steps(), new byte[0], true);
            at("b", "1", "b1", "job.enqueued");
            runs("b", "0", false);
            at("b", "1", "b1", "job.cancelled");
            fires("on_complete");
            fires("on_failure");
            of("b", "completed");
            retries("b");
            of("b", "resumed");
            runs("b", "0", "b0-2", true);
            runs("b", "1", "b1-2", true);
            fires("on_success");
            of("b", "completed");
            assertThat(violations(failsFast, "completed")).isEmpty();
        }

        @Test
        void pass_with_a_cancel() {
            runs("c", "0", true);
            of("c", "cancelled");
            stopped.put("c", now());
            assertThat(violations(chain, "cancelled")).isEmpty();
        }
    }

    @Nested
    class OfStepsItFinds {
        @Test
        void one_that_runs_again_after_it_has_completed() {
            runs("c", "0", true);
            runs("c", "1", "first", true);
            retries("c");
            runs("c", "1", "second", true);
            of("c", "completed");
            finds(violations(chain, "completed"), "step 1: has job.enqueued");
            finds(violations(chain, "completed"), "after it had completed");
        }

        @Test
        void one_that_runs_again_without_a_retry() {
            runs("c", "0", "first", false);
            runs("c", "0", "second", true);
            runs("c", "1", true);
            of("c", "completed");
            finds(violations(chain, "completed"), "no retry explains it");
        }

        @Test
        void one_that_runs_again_because_of_a_retry_before_its_failure() {
            retries("c");
            time += 10;
            runs("c", "0", "first", false);
            runs("c", "0", "second", true);
            runs("c", "1", true);
            of("c", "completed");
            finds(violations(chain, "completed"), "no retry explains it");
        }

        @Test
        void a_dead_job_that_runs_again_without_a_retry() {
            runs("c", "0", false);
            at("c", "0", "c0", "dead_letter.retried");
            ends("c", "0", "c0", true);
            runs("c", "1", true);
            of("c", "completed");
            finds(violations(chain, "completed"), "no client had retried it");
        }

        @Test
        void one_that_has_two_jobs_at_once() {
            retries("c");
            starts("c", "0", "first");
            runs("c", "0", "second", true);
            runs("c", "1", true);
            of("c", "completed");
            finds(violations(chain, "completed"), "two jobs at once");
        }

        @Test
        void a_job_that_ended_twice_or_came_twice() {
            runs("c", "0", false);
            at("c", "0", "c0", "job.discarded");
            at("c", "0", "c0", "job.enqueued");
            finds(violations(chain, "completed"), "has job.discarded at");
            finds(violations(chain, "completed"), "came twice");
        }

        @Test
        void one_that_never_completed() {
            runs("c", "0", true);
            of("c", "completed");
            finds(violations(chain, "completed"), "step 1: has not completed, but its workflow has");
            finds(violations(chain, "completed"), "step 1: had not run when the workflow ended");
        }

        @Test
        void one_that_has_not_ended() {
            runs("c", "0", true);
            starts("c", "1", "c1");
            of("c", "completed");
            finds(violations(chain, "completed"), "step 1: has not ended, but its workflow has");
        }

        @Test
        void one_that_began_before_what_it_needs_ended() {
            starts("c", "1", "c1");
            runs("c", "0", true);
            finds(violations(chain, "completed"), "before step 0 ended");
        }

        @Test
        void one_that_began_although_what_it_needs_had_failed() {
            runs("c", "0", false);
            runs("c", "1", true);
            finds(violations(chain, "completed"), "although step 0 had not completed");
        }

        @Test
        void one_for_failures_that_began_without_one() {
            runs("b", "0", true);
            runs("b", "1", true);
            fires("on_failure");
            finds(violations(batch, "completed"), "although nothing had failed");
        }

        @Test
        void one_that_started_after_a_cancel() {
            at("c", "0", "c0", "job.enqueued");
            of("c", "cancelled");
            stopped.put("c", now());
            at("c", "0", "c0", "job.started");
            finds(violations(chain, "cancelled"), "after the cancel was answered");
        }

        @Test
        void one_whose_ack_is_lost() {
            acked.add("c0");
            finds(violations(chain, "running"), "job c0 was acked, but has not completed");
        }
    }

    @Nested
    class OfCallbacksItFinds {
        @Test
        void one_that_never_fired() {
            runs("b", "0", true);
            runs("b", "1", true);
            fires("on_complete");
            of("b", "completed");
            finds(violations(batch, "completed"), "on_success: was due when the workflow ended");
        }

        @Test
        void one_for_failures_that_never_fired() {
            runs("b", "0", false);
            runs("b", "1", true);
            fires("on_complete");
            of("b", "completed");
            finds(violations(batch, "completed"), "on_failure: was due when the workflow ended");
        }

        @Test
        void one_that_fired_twice() {
            batchIsMended();
            retries("b");
            of("b", "resumed");
            at("b", "on_complete", "", "workflow.callback_fired");
            of("b", "completed");
            finds(violations(batch, "completed"), "on_complete: fired at");
            finds(violations(batch, "completed"), "and had not failed");
            finds(violations(batch, "completed"), "after it had completed");
            finds(violations(batch, "completed"), "on_complete: fired 2 times, but has 1 jobs");
        }

        @Test
        void one_that_fired_too_early() {
            runs("b", "0", true);
            fires("on_complete");
            runs("b", "1", true);
            finds(violations(batch, "completed"), "too early");
        }

        @Test
        void one_that_fired_after_the_end() {
            batchRuns();
            at("b", "on_failure", "", "workflow.callback_fired");
            finds(violations(batch, "completed"), "after the end of its workflow");
        }
    }

    @Nested
    class OfWorkflowsItFinds {
        @Test
        void one_that_has_not_ended_well_or_is_gone() {
            runs("c", "0", true);
            for (String state : List.of("running", "failed", "missing"))
                finds(violations(chain, state), "is %s in the end".formatted(state));
        }

        @Test
        void one_that_ended_twice() {
            chainRuns();
            of("c", "completed");
            finds(violations(chain, "completed"), "and was not resumed");
        }

        @Test
        void one_that_was_resumed_without_a_retry_or_an_end() {
            runs("c", "0", false);
            of("c", "resumed");
            finds(violations(chain, "completed"), "no retry explains it");
            finds(violations(chain, "completed"), "although it had not failed or completed");
        }

        @Test
        void one_whose_step_ended_after_it() {
            runs("c", "0", true);
            of("c", "completed");
            runs("c", "1", true);
            finds(violations(chain, "completed"), "after its workflow");
            finds(violations(chain, "completed"), "step 1: had not completed when the workflow did");
        }

        @Test
        void one_without_an_event_of_its_end_or_with_another_one() {
            finds(violations(chain, "completed"), "has no event of its end");
            of("c", "failed");
            finds(violations(chain, "completed"), "its last event is workflow.failed");
        }

        @Test
        void jobs_of_one_that_was_rejected() {
            runs("c", "0", true);
            WorkflowHistory history = new WorkflowHistory(
                    Map.of("c", chain), Set.of(), Set.of("c"), events, Map.of(), ClientsSeen.NOTHING);
            finds(WorkflowJudge.violations(history), "was rejected");
        }
    }

    @Test
    void measures_how_soon_a_callback_follows() {
        batchRuns();
        WorkflowHistory history = history(batch, "completed");
        assertThat(WorkflowJudge.callbackDelay(history, "b", "on_complete")).isEqualTo(3);
        assertThat(WorkflowJudge.callbackDelay(history, "b", "on_failure")).isNull();
    }
}
