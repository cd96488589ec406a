package io.floodgate.verification.workflow;

import io.floodgate.verification.workflow.PlannedStep.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One step, by the events of its jobs, which one queue emits in their order. */
final class StepJudge {
    /** How long the home may not know of a retry by hand while processors are killed. */
    private static final Duration UNKNOWN_TO_HOME = Duration.ofSeconds(20);

    private final PlannedStep planned;
    private final WorkflowRetries retries;
    private final List<StepEvent> events;
    private final List<String> found = new ArrayList<>();

    StepJudge(PlannedStep planned, List<StepEvent> ofWorkflow, WorkflowRetries retries) {
        this.planned = planned;
        this.retries = retries;
        events = withoutReplaced(ofWorkflow.stream()
                .filter(event ->
                        !event.isOfHome() && event.isRun() && event.step().equals(planned.name()))
                .toList());
    }

    /** A job that may have had a successor when it was retried by hand does not count from then on. */
    private List<StepEvent> withoutReplaced(List<StepEvent> all) {
        List<String> jobs =
                all.stream().filter(StepEvent::isArrival).map(StepEvent::job).toList();
        Set<String> ignored = new HashSet<>();
        Map<String, StepEvent> ends = new HashMap<>();
        List<StepEvent> counted = new ArrayList<>();
        for (StepEvent event : all) {
            StepEvent end = ends.get(event.job());
            boolean hasSuccessor = !jobs.isEmpty() && !event.job().equals(jobs.getLast());
            if (hasSuccessor && end != null && event.isRevival() && mayBeReplaced(end, event)) ignored.add(event.job());
            if (event.isEnd()) ends.put(event.job(), event);
            if (!ignored.contains(event.job())) counted.add(event);
        }
        return counted;
    }

    private boolean mayBeReplaced(StepEvent end, StepEvent revival) {
        return end.isCancel() || retries.ofWorkflow(end.at(), revival.at().plus(UNKNOWN_TO_HOME));
    }

    String name() {
        return planned.name();
    }

    List<String> found() {
        return found;
    }

    private void wrong(String what) {
        found.add(what);
    }

    /** Each run after the first one has a retry that explains it, and none follows a completion. */
    void lookAtRuns() {
        Set<String> jobs = new LinkedHashSet<>();
        StepEvent end = null;
        for (StepEvent event : events) {
            if (end != null && end.isGoodEnd()) {
                wrong("has %s at %s, after it completed at %s".formatted(event.type(), event.at(), end.at()));
                return;
            }
            if (event.isArrival()) {
                lookAtArrival(event, jobs, end);
                end = null;
            } else if (end != null && event.isRevival()) {
                if (!retries.ofJob(event))
                    wrong("job %s runs again at %s, and no client had retried it".formatted(event.job(), event.at()));
                end = null;
            } else if (end != null) {
                wrong("has %s at %s, after %s at %s".formatted(event.type(), event.at(), end.type(), end.at()));
            }
            if (event.isEnd()) end = event;
        }
    }

    private void lookAtArrival(StepEvent arrival, Set<String> jobs, @Nullable StepEvent end) {
        boolean isFirst = jobs.isEmpty();
        if (!jobs.add(arrival.job())) wrong("job %s came twice".formatted(arrival.job()));
        else if (!isFirst && end == null) wrong("has two jobs at once: %s".formatted(jobs));
        else if (end != null && !isExplained(arrival, end))
            wrong("has another job at %s, and no retry explains it".formatted(arrival.at()));
    }

    /** What was cancelled because of a failure goes on after any retry; what has failed, after one of the workflow. */
    private boolean isExplained(StepEvent arrival, StepEvent end) {
        return end.isCancel() ? retries.anyUntil(arrival.at()) : retries.ofWorkflow(end.at(), arrival.at());
    }

    /** It becomes a job when what it needs has ended as it must. */
    void lookAtNeeds(Map<String, StepJudge> steps, boolean canStop) {
        for (StepEvent event : events) {
            if (!event.isArrival()) continue;
            boolean isAnyBad = false;
            for (String name : planned.needs()) {
                StepJudge needed = steps.get(name);
                if (needed == null || !needed.isOverBy(event.at(), canStop))
                    wrong("began at %s, before step %s ended".formatted(event.at(), name));
                else if (needed.hasCompletedBy(event.at())) isAnyBad |= needed.hasFailedBy(event.at());
                else if (planned.condition() == Condition.ALL_SUCCEEDED)
                    wrong("began at %s, although step %s had not completed".formatted(event.at(), name));
                else isAnyBad = true;
            }
            if (planned.condition() == Condition.ANY_FAILED && !isAnyBad)
                wrong("began at %s, although nothing had failed".formatted(event.at()));
        }
    }

    private boolean isOverBy(Instant time, boolean canStop) {
        if (events.stream().anyMatch(event -> event.isEnd() && event.isNotAfter(time))) return true;
        boolean mayNeverRun = canStop || !planned.needs().isEmpty();
        return mayNeverRun && events.stream().noneMatch(event -> event.isArrival() && event.isNotAfter(time));
    }

    private boolean hasFailedBy(Instant time) {
        return events.stream().anyMatch(event -> event.isEnd() && !event.isGoodEnd() && event.isNotAfter(time));
    }

    boolean hasCompletedBy(Instant time) {
        return events.stream().anyMatch(event -> event.isGoodEnd() && event.isNotAfter(time));
    }

    /** Whether its job ended without success between these. */
    boolean hasFailedBetween(Instant from, Instant to) {
        return events.stream()
                .anyMatch(event ->
                        event.isEnd() && !event.isGoodEnd() && !event.at().isBefore(from) && event.isNotAfter(to));
    }

    long jobs() {
        return events.stream().filter(StepEvent::isArrival).count();
    }

    /** Nothing of a workflow starts after a cancel was answered, but what is retried by hand. */
    void lookAtStarts(Instant stopped) {
        Set<String> revived = new HashSet<>();
        for (StepEvent event : events) {
            if (event.isRevival()) revived.add(event.job());
            boolean isStart = event.type().equals("job.started") && !event.isNotAfter(stopped);
            if (isStart && !revived.contains(event.job()))
                wrong("started at %s, after the cancel was answered at %s".formatted(event.at(), stopped));
        }
    }

    /** Of a workflow that has completed, when nothing failed any more. */
    void lookAtEnd() {
        if (!events.isEmpty() && !events.getLast().isEnd()) wrong("has not ended, but its workflow has");
        boolean mustRun = planned.condition() != Condition.ANY_FAILED;
        if (mustRun && events.stream().noneMatch(StepEvent::isGoodEnd))
            wrong("has not completed, but its workflow has");
    }
}
