package io.floodgate.verification.workflow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether a history keeps the invariants of workflows, judged by how jobs have ended alone: a step becomes a job if what it needs has
 * ended as it must, once, and not before (W1); all have ended (W2); each callback runs once if its condition came true (W3); what was
 * rejected has left nothing, and what was answered is there (W4).
 */
final class WorkflowJudge {
    private static final Set<String> ENDED = Set.of("completed", "failed", "cancelled");

    private final WorkflowHistory history;
    private final List<String> found = new ArrayList<>();

    private WorkflowJudge(WorkflowHistory history) {
        this.history = history;
    }

    /** What is wrong, in words. */
    static List<String> violations(WorkflowHistory history) {
        WorkflowJudge judge = new WorkflowJudge(history);
        judge.look();
        return judge.found;
    }

    private void look() {
        Map<String, List<StepEvent>> events = history.eventsByWorkflow();
        for (String id : history.rejected())
            if (events.containsKey(id)) found.add("workflow %s was rejected, but has jobs".formatted(id));
        Map<String, Integer> fired = new HashMap<>();
        for (String each : history.fired()) fired.merge(each, 1, Integer::sum);
        for (String id : history.stored()) {
            PlannedWorkflow planned = history.planned().get(id);
            if (planned == null) continue;
            String state = history.states().getOrDefault(id, "missing");
            if (!ENDED.contains(state)) found.add("workflow %s is %s in the end".formatted(id, state));
            else new One(planned, events.getOrDefault(id, List.of()), fired).look();
        }
    }

    /** One workflow that has ended. */
    private final class One {
        private final PlannedWorkflow planned;
        private final Map<String, Integer> fired;
        private final Map<String, Set<String>> jobs = new TreeMap<>();
        private final Map<String, Instant> begun = new TreeMap<>();
        private final Map<String, StepEvent> ends = new TreeMap<>();

        One(PlannedWorkflow planned, List<StepEvent> events, Map<String, Integer> fired) {
            this.planned = planned;
            this.fired = fired;
            for (StepEvent event : events) add(event);
        }

        private void add(StepEvent event) {
            jobs.computeIfAbsent(event.step(), step -> new LinkedHashSet<>()).add(event.job());
            if (event.isArrival()) begun.merge(event.step(), event.at(), (a, b) -> a.isBefore(b) ? a : b);
            if (!event.isEnd()) return;
            StepEvent before = ends.put(event.step(), event);
            if (before != null)
                wrong(event.step(), "has ended twice, by %s and %s".formatted(before.type(), event.type()));
        }

        private void wrong(String step, String what) {
            found.add("workflow %s, step %s: %s".formatted(planned.id(), step, what));
        }

        void look() {
            for (PlannedStep step : planned.steps()) {
                Set<String> own = jobs.getOrDefault(step.name(), Set.of());
                boolean mustRun = mustRun(step);
                if (mustRun && own.size() != 1) wrong(step.name(), "has %d jobs, not one".formatted(own.size()));
                if (!mustRun && !own.isEmpty()) wrong(step.name(), "has a job, although what it needs ended otherwise");
                if (mustRun && !ends.containsKey(step.name()))
                    wrong(step.name(), "has not ended, but its workflow has");
                if (mustRun) lookAtTimes(step);
                if (step.name().startsWith("on_")) lookAtCallback(step, mustRun);
            }
        }

        /** By how the jobs of what it needs have ended. */
        private boolean mustRun(PlannedStep step) {
            if (step.needs().isEmpty()) return true;
            boolean allWell = step.needs().stream().allMatch(this::isWell);
            return switch (step.condition()) {
                case ALL_SUCCEEDED -> allWell;
                case ANY_FAILED -> !allWell && haveEnded(step);
                case ALL_DONE -> haveEnded(step);
            };
        }

        private boolean isWell(String step) {
            StepEvent end = ends.get(step);
            return end != null && end.isGoodEnd();
        }

        /** What was never to run has ended, too. */
        private boolean haveEnded(PlannedStep step) {
            return step.needs().stream().allMatch(needed -> ends.containsKey(needed) || !mustRun(named(needed)));
        }

        private PlannedStep named(String name) {
            return planned.steps().stream()
                    .filter(step -> step.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        private void lookAtTimes(PlannedStep step) {
            Instant begin = begun.get(step.name());
            for (String needed : step.needs()) {
                StepEvent end = ends.get(needed);
                if (begin != null && end != null && begin.isBefore(end.at()))
                    wrong(step.name(), "began at %s, before step %s ended at %s".formatted(begin, needed, end.at()));
            }
        }

        private void lookAtCallback(PlannedStep step, boolean mustRun) {
            int times = fired.getOrDefault(WorkflowHistory.firing(planned.id(), step.name()), 0);
            int expected = mustRun ? 1 : 0;
            if (times != expected) wrong(step.name(), "fired %d times, not %d".formatted(times, expected));
        }
    }

    /** From the end of the last job that a callback needs to its arrival in its queue, in milliseconds; null if it has not run. */
    static @Nullable Long callbackDelay(WorkflowHistory history, String workflow, String callback) {
        List<StepEvent> events = history.eventsByWorkflow().getOrDefault(workflow, List.of());
        Instant last = null;
        Instant arrived = null;
        for (StepEvent event : events) {
            boolean isCallback = event.step().startsWith("on_");
            if (!isCallback && event.isEnd() && (last == null || event.at().isAfter(last))) last = event.at();
            if (event.step().equals(callback) && event.isArrival()) arrived = event.at();
        }
        return last == null || arrived == null ? null : arrived.toEpochMilli() - last.toEpochMilli();
    }

    /** Reasons of steps that have not ended, which must be one of these. */
    static final Set<String> REASONS = Set.of(
            "waits_for",
            "no_room",
            "own_line_full",
            "queue_paused",
            "scheduled",
            "available",
            "rate_limited",
            "active",
            "retryable",
            "log_silent");
}
