package io.floodgate.processor.workflow;

import io.floodgate.topics.workflow.Callback;
import io.floodgate.topics.workflow.RunIf;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowStep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How each step of a workflow must stand, made out of how its jobs have ended alone: nothing is counted, nothing remembered. */
final class ReferenceWorkflow {
    private static final Set<String> ENDED = Set.of("completed", "failed", "cancelled", "skipped");

    private final WorkflowPlan plan;
    private final Map<String, Boolean> ends = new HashMap<>();
    /** What was found since the last end of a job. */
    private final Map<Integer, String> found = new HashMap<>();

    ReferenceWorkflow(WorkflowPlan plan) {
        this.plan = plan;
    }

    void ends(String step, boolean well) {
        ends.put(step, well);
        found.clear();
    }

    String state() {
        String root = state(plan.root());
        return root.equals("active") ? "running" : root;
    }

    List<String> states() {
        List<String> states = new ArrayList<>();
        for (WorkflowStep step : plan.steps()) if (step.parent() >= 0) states.add(path(step) + "=" + state(step));
        return states;
    }

    private String path(WorkflowStep step) {
        return step.parent() <= 0 ? step.id() : path(plan.steps().get(step.parent())) + "." + step.id();
    }

    private boolean hasEnded(WorkflowStep step) {
        return ENDED.contains(state(step));
    }

    private boolean isBad(WorkflowStep step) {
        String state = state(step);
        return state.equals("cancelled") || (state.equals("failed") && !step.allowFailure());
    }

    private List<WorkflowStep> others(WorkflowStep parent) {
        return plan.inside(parent).stream()
                .filter(step -> step.callback() == null)
                .toList();
    }

    private String state(WorkflowStep step) {
        String known = found.get(step.index());
        if (known != null) return known;
        String state = find(step);
        found.put(step.index(), state);
        return state;
    }

    private String find(WorkflowStep step) {
        if (step.parent() < 0) return open(step);
        WorkflowStep parent = plan.steps().get(step.parent());
        String above = parent.parent() < 0 ? "active" : whenNeeded(parent);
        if (!above.equals("active")) return above;
        String mayRun = whenNeeded(step);
        if (!mayRun.equals("active")) return mayRun;
        if (step.job() == null) return open(step);
        Boolean well = ends.get(path(step));
        return well == null ? "pending" : well ? "completed" : "failed";
    }

    /** Whether it can run: active, or how it stands instead. */
    private String whenNeeded(WorkflowStep step) {
        if (step.parent() < 0) return "active";
        WorkflowStep parent = plan.steps().get(step.parent());
        String above = whenNeeded(parent);
        if (!above.equals("active")) return above;
        List<WorkflowStep> needs = step.callback() == null
                ? step.needs().stream().map(plan.steps()::get).toList()
                : others(parent);
        boolean isBad = needs.stream().anyMatch(this::isBad);
        boolean all = needs.stream().allMatch(this::hasEnded);
        RunIf condition = step.runIf();
        boolean isCallback = step.callback() != null;
        if (condition == RunIf.ALL_SUCCEEDED && isBad && !isCallback) return "cancelled";
        if (!all) return "waiting";
        if (condition == RunIf.ANY_FAILED && !isBad) return "skipped";
        if (step.callback() == Callback.ON_SUCCESS && isBad) return "skipped";
        return "active";
    }

    private String open(WorkflowStep step) {
        List<WorkflowStep> inside = plan.inside(step);
        if (!inside.stream().allMatch(this::hasEnded)) return "active";
        boolean isBad = step.shape() == Shape.BATCH
                ? inside.stream().anyMatch(each -> each.callback() != null && isBad(each))
                : inside.stream().anyMatch(this::isBad);
        return isBad ? "failed" : "completed";
    }
}
