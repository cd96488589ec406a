package io.floodgate.verification.workflow;

import io.floodgate.verification.workflow.PlannedStep.Condition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One workflow, by the events of its home: what it knew when callbacks fired, and when it ended. */
final class HomeJudge {
    private final PlannedWorkflow planned;
    private final Map<String, StepJudge> steps;
    private final WorkflowRetries retries;
    private final Map<String, StepEvent> told = new HashMap<>();
    private final Map<String, List<StepEvent>> fired = new HashMap<>();
    private final Map<String, List<String>> found = new TreeMap<>();
    private @Nullable StepEvent end;

    HomeJudge(PlannedWorkflow planned, Map<String, StepJudge> steps, WorkflowRetries retries) {
        this.planned = planned;
        this.steps = steps;
        this.retries = retries;
    }

    /** By step; what is wrong with the whole is under an empty name. */
    Map<String, List<String>> found() {
        return found;
    }

    private void wrong(String step, String what) {
        found.computeIfAbsent(step, name -> new ArrayList<>()).add(what);
    }

    void take(StepEvent event) {
        switch (event.type()) {
            case "workflow.completed", "workflow.failed", "workflow.cancelled" -> ends(event);
            case "workflow.resumed" -> resumes(event);
            case "workflow.callback_fired" -> fires(event);
            case "workflow.job_completed", "workflow.step_completed", "workflow.job_failed", "workflow.step_failed" ->
                stepEnds(event);
            default -> {}
        }
    }

    private void stepEnds(StepEvent event) {
        if (end != null && !isCancelled()) wrong(event.step(), "ended at %s, after its workflow".formatted(event.at()));
        if (hasCompleted(event.step()))
            wrong(event.step(), "ended at %s, after it had completed".formatted(event.at()));
        told.put(event.step(), event);
    }

    private boolean isCancelled() {
        return end != null && end.type().equals("workflow.cancelled");
    }

    private boolean hasCompleted(String step) {
        StepEvent last = told.get(step);
        return last != null && last.type().endsWith("_completed");
    }

    private void resumes(StepEvent event) {
        if (end == null || isCancelled())
            wrong("", "was resumed at %s, although it had not failed or completed".formatted(event.at()));
        if (!retries.anyUntil(event.at()))
            wrong("", "was resumed at %s, and no retry explains it".formatted(event.at()));
        end = null;
    }

    private void fires(StepEvent event) {
        String name = event.step();
        List<StepEvent> before = fired.computeIfAbsent(name, callback -> new ArrayList<>());
        if (end != null) wrong(name, "fired at %s, after the end of its workflow".formatted(event.at()));
        StepJudge job = steps.get(name);
        if (job != null
                && !before.isEmpty()
                && !job.hasFailedBetween(before.getLast().at(), event.at()))
            wrong(
                    name,
                    "fired at %s and %s, and had not failed"
                            .formatted(before.getLast().at(), event.at()));
        if (job != null && job.hasCompletedBy(event.at()))
            wrong(name, "fired at %s, after it had completed".formatted(event.at()));
        for (PlannedStep step : planned.steps())
            if (step.name().equals(name) && !mayFire(step)) wrong(name, "fired at %s too early".formatted(event.at()));
        before.add(event);
    }

    private boolean mayFire(PlannedStep callback) {
        return isDue(callback)
                && (planned.canStop() || callback.needs().stream().allMatch(told::containsKey));
    }

    /** Once all has ended that it needs. */
    private boolean isDue(PlannedStep step) {
        boolean allWell = step.needs().stream().allMatch(this::hasCompleted);
        return switch (step.condition()) {
            case ALL_DONE -> true;
            case ALL_SUCCEEDED -> allWell;
            case ANY_FAILED -> !allWell;
        };
    }

    private void ends(StepEvent event) {
        if (end != null) wrong("", "ended at %s and %s, and was not resumed".formatted(end.at(), event.at()));
        end = event;
        if (isCancelled()) return;
        for (PlannedStep step : planned.steps()) {
            String name = step.name();
            if (step.isCallback() && isDue(step) && !fired.containsKey(name))
                wrong(name, "was due when the workflow ended at %s, and had not fired".formatted(event.at()));
            if (!step.isCallback() && !planned.canStop() && isDue(step) && !told.containsKey(name))
                wrong(name, "had not run when the workflow ended at %s".formatted(event.at()));
            if (event.type().equals("workflow.completed")) lookAtSuccess(step, event);
        }
    }

    /** A batch completes if its callbacks do. */
    private void lookAtSuccess(PlannedStep step, StepEvent event) {
        boolean isBatch = planned.steps().getLast().isCallback();
        if (step.condition() == Condition.ANY_FAILED || (isBatch && !step.isCallback()) || !isDue(step)) return;
        StepJudge job = steps.get(step.name());
        if (job != null && !job.hasCompletedBy(event.at()))
            wrong(step.name(), "had not completed when the workflow did, at %s".formatted(event.at()));
    }

    /** @param state as it is shown */
    void end(String state) {
        if (end == null) wrong("", "has no event of its end");
        else if (!end.type().equals("workflow." + state))
            wrong("", "is %s, but its last event is %s".formatted(state, end.type()));
        if (isCancelled()) return;
        steps.forEach((name, step) -> {
            int times = fired.getOrDefault(name, List.of()).size();
            if (name.startsWith(PlannedStep.CALLBACK) && times != step.jobs())
                wrong(name, "fired %d times, but has %d jobs".formatted(times, step.jobs()));
        });
    }
}
