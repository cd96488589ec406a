package io.floodgate.processor.workflow;

import io.floodgate.topics.workflow.Callback;
import io.floodgate.topics.workflow.RunIf;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.StepCondition;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How each step of a workflow must stand, made out of how its jobs have ended, which of them were begun, and what was stopped.
 * Nothing is counted.
 */
final class ReferenceWorkflow {
    private static final Set<String> ENDED = Set.of("completed", "failed", "cancelled", "skipped");

    private WorkflowPlan plan;
    private Supplier<Instant> clock;
    private final Set<String> signals;
    /** When waits that have begun end, unless their signals come before. */
    private final Map<String, Instant> waits = new TreeMap<>();

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

    /** @param signals keys of those that have been sent */
    ReferenceWorkflow(WorkflowPlan plan, Instant createdAt, Supplier<Instant> clock, Set<String> signals) {
        this.plan = plan;
        this.signals = signals;
        deadline = plan.timeout() == null ? null : createdAt.plus(plan.timeout());
        this.clock = () -> createdAt;
        changed();
        this.clock = clock;
    }

    /** Something has ended, or a signal was sent. */
    void changed() {
        if (isCancelled) return;
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            found.clear();
            for (WorkflowStep step : plan.steps())
                if (step.isLeaf() && isUnderWay(step) && begun.add(path(step))) began(step);
            for (WorkflowStep step : plan.steps())
                if (step.signal() != null
                        && begun.contains(path(step))
                        && signals.contains(step.signal().key())) {
                    begun.remove(path(step));
                    ends.put(path(step), true);
                    goesOn = true;
                }
        }
    }

    private boolean isUnderWay(WorkflowStep step) {
        return state(step).equals(step.signal() == null ? "pending" : "active");
    }

    private void began(WorkflowStep step) {
        if (step.signal() == null) return;
        Duration timeout = step.signal().timeout();
        if (timeout == null) waits.remove(path(step));
        else waits.put(path(step), clock.get().plus(timeout));
    }

    /** When the workflow or one of its steps that wait is out of time. */
    @Nullable
    Instant nextEnd() {
        if (isCancelled) return null;
        Stream<Instant> ends = waits.entrySet().stream()
                .filter(wait -> begun.contains(wait.getKey()))
                .map(Map.Entry::getValue);
        return Stream.concat(ends, Stream.ofNullable(deadline))
                .min(Instant::compareTo)
                .orElse(null);
    }

    /** The waits that have begun end by this time, and those that begin because of that, in the order of their times. */
    void waitsTimeOut(Instant by, Set<String> active) {
        for (String step = nextWait(by); step != null; step = nextWait(by)) ends(step, false, active);
    }

    private @Nullable String nextWait(Instant by) {
        return waits.entrySet().stream()
                .filter(wait ->
                        begun.contains(wait.getKey()) && !wait.getValue().isAfter(by) && !isCancelled)
                .min(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
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
            boolean isListening = step.signal() != null && state.equals("active");
            if (state.equals("waiting") || isListening || (state.equals("pending") && !active.contains(path)))
                more.put(path, "cancelled");
        }
        stopped.putAll(more);
        begun.removeAll(more.keySet());
    }

    /** The ids of steps that those which are added may need; none if the workflow takes no steps. */
    List<String> takesSteps() {
        List<WorkflowStep> others = others(plan.root());
        boolean isStopped = timedOut || (plan.failFast() && failed().stream().anyMatch(step -> !mayFail(step)));
        boolean isOpen = plan.shape() == Shape.DAG && !hasEnded() && !isStopped;
        if (!isOpen || others.stream().allMatch(this::hasEnded)) return List.of();
        return others.stream().map(WorkflowStep::id).toList();
    }

    /** As if they had been there from the beginning. */
    void adds(WorkflowPlan added) {
        List<WorkflowStep> all = new ArrayList<>(plan.steps());
        int first = all.size();
        Map<String, Integer> known = new HashMap<>();
        for (WorkflowStep step : others(plan.root())) known.put(step.id(), step.index());
        for (WorkflowStep step : added.steps().subList(1, added.steps().size())) {
            List<Integer> needs = new ArrayList<>();
            for (String id : step.outside()) needs.add(Objects.requireNonNull(known.get(id)));
            for (int needed : step.needs()) needs.add(first + needed - 1);
            all.add(new WorkflowStep(
                    all.size(),
                    step.id(),
                    0,
                    all.size(),
                    needs,
                    List.of(),
                    step.runIf(),
                    null,
                    step.allowFailure(),
                    null,
                    null,
                    step.job(),
                    step.signal(),
                    null));
        }
        plan = new WorkflowPlan(plan.id(), plan.name(), all, plan.timeout(), plan.retention(), plan.failFast());
        found.clear();
        changed();
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
        if (begun.contains(path)) return step.signal() == null ? "pending" : "active";
        String stoppedAs = stopped.get(path);
        if (stoppedAs != null) return stoppedAs;
        String mayRun = whenNeeded(step);
        if (!mayRun.equals("active")) return mayRun;
        return !step.isLeaf() ? open(step) : step.signal() == null ? "pending" : "active";
    }

    /** Whether something inside of it has, whatever is known now of what it needs. */
    private boolean hasBegun(WorkflowStep step) {
        if (step.isLeaf() || stopped.containsKey(path(step))) return false;
        return plan.inside(step).stream().anyMatch(inner -> {
            String path = path(inner);
            boolean isJob = inner.isLeaf();
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
        StepCondition about = step.condition();
        boolean isBad =
                needs.stream().anyMatch(needed -> isBad(needed) && (about == null || needed.index() != about.step()));
        boolean all = needs.stream().allMatch(this::hasEnded);
        RunIf condition = step.runIf();
        boolean isCallback = step.callback() != null;
        if (condition == RunIf.ALL_SUCCEEDED && isBad && !isCallback) return "cancelled";
        if (step.callback() == Callback.ON_FIRST_FAILURE && isBad) return "active";
        if (!all) return "waiting";
        if (about != null && !holds(about)) return "skipped";
        if (condition == RunIf.ANY_FAILED && !isBad) return "skipped";
        if (step.callback() == Callback.ON_SUCCESS && isBad) return "skipped";
        return "active";
    }

    private boolean holds(StepCondition condition) {
        String state = state(plan.steps().get(condition.step()));
        return switch (Objects.requireNonNull(condition.ended())) {
            case COMPLETED -> state.equals("completed");
            case FAILED -> state.equals("failed") || state.equals("cancelled");
            case SKIPPED -> state.equals("skipped");
            case TIMED_OUT -> state.equals("failed");
        };
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
