package io.floodgate.processor.workflow;

import io.floodgate.topics.workflow.Callback;
import io.floodgate.topics.workflow.RunIf;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How each step of a workflow must stand, made out of how its jobs have ended, which of them were begun, and what was stopped.
 * Nothing is counted.
 */
final class ReferenceWorkflow {
    private static final Set<String> ENDED = Set.of("completed", "failed", "cancelled", "skipped");

    private final WorkflowPlan plan;
    private final Map<String, Boolean> ends = new TreeMap<>();
    private final Set<String> begun = new TreeSet<>();
    /** What must not start, and how it stands therefore. */
    private final Map<String, String> stopped = new TreeMap<>();
    /** What was found since the last event. */
    private final Map<Integer, String> found = new HashMap<>();

    boolean isCancelled;
    private boolean timedOut;

    @Nullable
    Instant deadline;

    ReferenceWorkflow(WorkflowPlan plan, Instant now) {
        this.plan = plan;
        deadline = plan.timeout() == null ? null : now.plus(plan.timeout());
        changed();
    }

    private void changed() {
        found.clear();
        for (WorkflowStep step : plan.steps())
            if (step.job() != null && state(step).equals("pending")) begun.add(path(step));
    }

    /** @param active jobs that run */
    void ends(String step, boolean well, Set<String> active) {
        if (!well && plan.failFast() && !mayFail(step)) stop(active, step);
        begun.remove(step);
        ends.put(step, well);
        changed();
    }

    void timesOut(Set<String> active) {
        deadline = null;
        if (hasEnded()) return;
        timedOut = true;
        stop(active, "");
        changed();
    }

    /** Nothing begins but callbacks. */
    private void stop(Set<String> active, String except) {
        Map<String, String> more = new TreeMap<>();
        for (WorkflowStep step : plan.steps()) {
            String path = path(step);
            if (step.parent() < 0 || step.callback() != null || path.equals(except)) continue;
            String state = state(step);
            if (state.equals("waiting") || (state.equals("pending") && !active.contains(path)))
                more.put(path, "cancelled");
        }
        stopped.putAll(more);
        begun.removeAll(more.keySet());
    }

    /** A dead job is active or available again. */
    void retriedByHand(String step, Instant now) {
        reopens(Set.of(step), now);
        begun.add(step);
        changed();
    }

    boolean canBeRetried(List<String> steps) {
        return hasEnded() && !isCancelled && (!failed(steps).isEmpty() || (timedOut && steps.isEmpty()));
    }

    private Set<String> failed(List<String> steps) {
        Set<String> failed = new TreeSet<>();
        ends.forEach((step, well) -> {
            if (!well && (steps.isEmpty() || steps.contains(step))) failed.add(step);
        });
        return failed;
    }

    Set<String> failed() {
        return failed(List.of());
    }

    /** The steps that are made again. */
    Set<String> retried(List<String> steps, Instant now) {
        Set<String> failed = failed(steps);
        reopens(failed, now);
        changed();
        return failed;
    }

    private void reopens(Set<String> retried, Instant now) {
        if (plan.timeout() != null && (hasEnded() || timedOut)) deadline = now.plus(plan.timeout());
        Map<String, String> stay = new TreeMap<>();
        for (WorkflowStep step : plan.steps()) {
            String state = state(step);
            boolean neverRan = state.equals("cancelled") || state.equals("skipped");
            if (step.parent() >= 0 && step.callback() == null && neverRan) stay.put(path(step), state);
        }
        ends.keySet().removeAll(retried);
        timedOut = false;
        stopped.clear();
        if (plan.failFast() && failed().stream().anyMatch(step -> !mayFail(step))) stopped.putAll(stay);
        found.clear();
    }

    private boolean mayFail(String path) {
        return plan.steps().stream()
                .anyMatch(step -> step.allowFailure() && path(step).equals(path));
    }

    boolean hasEnded() {
        return isCancelled || !state(plan.root()).equals("active");
    }

    boolean hasCompleted(String step) {
        return ends.getOrDefault(step, false);
    }

    String state() {
        if (isCancelled) return "cancelled";
        if (!hasEnded()) return "running";
        return timedOut ? "failed" : state(plan.root());
    }

    List<String> states() {
        List<String> states = new ArrayList<>();
        for (WorkflowStep step : plan.steps()) if (step.parent() >= 0) states.add(path(step) + "=" + state(step));
        return states;
    }

    @Override
    public String toString() {
        return "ended %s, begun %s, stopped %s: %s".formatted(ends, begun, stopped, states());
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
        String path = path(step);
        if (step.parent() < 0 || hasBegun(step)) return open(step);
        Boolean well = ends.get(path);
        if (well != null) return well ? "completed" : "failed";
        if (begun.contains(path)) return "pending";
        String stoppedAs = stopped.get(path);
        if (stoppedAs != null) return stoppedAs;
        String mayRun = whenNeeded(step);
        if (!mayRun.equals("active")) return mayRun;
        return step.job() == null ? open(step) : "pending";
    }

    /** Whether something inside of it has, whatever is known now of what it needs. */
    private boolean hasBegun(WorkflowStep step) {
        if (step.job() != null || stopped.containsKey(path(step))) return false;
        return plan.inside(step).stream().anyMatch(inner -> {
            String path = path(inner);
            boolean isJob = inner.job() != null;
            return stopped.containsKey(path)
                    || (isJob ? ends.containsKey(path) || begun.contains(path) : hasBegun(inner));
        });
    }

    /** Whether it can run: active, or how it stands instead. */
    private String whenNeeded(WorkflowStep step) {
        WorkflowStep parent = plan.steps().get(step.parent());
        if (parent.parent() >= 0 && !hasBegun(parent)) {
            String stoppedAs = stopped.get(path(parent));
            String above = stoppedAs == null ? whenNeeded(parent) : stoppedAs;
            if (!above.equals("active")) return above;
        }
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
        List<WorkflowStep> callbacks =
                inside.stream().filter(each -> each.callback() != null).toList();
        boolean isBad = (callbacks.isEmpty() ? inside : callbacks).stream().anyMatch(this::isBad);
        return isBad ? "failed" : "completed";
    }
}
