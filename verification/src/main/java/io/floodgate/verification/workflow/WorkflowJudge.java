package io.floodgate.verification.workflow;

import io.floodgate.topics.workflow.StepWaitReason;
import io.floodgate.verification.workflow.WorkflowRetries.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a history keeps the invariants of workflows, after all that had failed was retried until it succeeded: a step becomes a job
 * if what it needs has ended as it must, and not before; it runs again only if a retry explains it, and never after it has completed
 * (W1, {@link StepJudge}); all have ended, and each callback that was due has fired once (W2, W3, {@link HomeJudge}); what was
 * rejected has left nothing, and what was answered is there (W4).
 */
final class WorkflowJudge {
    private static final Set<String> ENDED = Set.of("completed", "cancelled");

    /** Between the clock of clients and that of brokers, on one machine. */
    private static final Duration CLOCKS = Duration.ofMillis(50);

    private final WorkflowHistory history;
    private final Map<String, List<Retry>> retries = new HashMap<>();
    private final List<String> found = new ArrayList<>();

    private WorkflowJudge(WorkflowHistory history) {
        this.history = history;
        for (Retry retry : history.seen().retries())
            retries.computeIfAbsent(retry.subject(), subject -> new ArrayList<>())
                    .add(retry);
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
        lookAtAcks();
        for (String id : history.stored()) {
            PlannedWorkflow planned = history.planned().get(id);
            if (planned == null) continue;
            String state = history.states().getOrDefault(id, "missing");
            if (!ENDED.contains(state))
                found.add("workflow %s is %s in the end, when nothing fails any more".formatted(id, state));
            else look(planned, state, events.getOrDefault(id, List.of()));
        }
    }

    private void lookAtAcks() {
        Set<String> lost = new HashSet<>(history.seen().acked());
        for (StepEvent event : history.events()) if (event.isGoodEnd()) lost.remove(event.job());
        for (String job : lost) found.add("job %s was acked, but has not completed".formatted(job));
    }

    private void look(PlannedWorkflow planned, String state, List<StepEvent> events) {
        WorkflowRetries ofWorkflow = new WorkflowRetries(planned.id(), events, retries);
        Map<String, StepJudge> steps = new HashMap<>();
        for (PlannedStep step : planned.steps()) steps.put(step.name(), new StepJudge(step, events, ofWorkflow));
        boolean isCancelled = state.equals("cancelled");
        Instant stopped = history.seen().stopped().get(planned.id());
        for (StepJudge step : steps.values()) {
            step.lookAtRuns();
            step.lookAtNeeds(steps, planned.canStop());
            if (stopped != null) step.lookAtStarts(stopped);
            if (!isCancelled) step.lookAtEnd();
            step.found().forEach(what -> wrong(planned, step.name(), what));
        }
        if (planned.isAwaited()) lookAtSignal(planned, events);
        HomeJudge home = new HomeJudge(planned, steps, ofWorkflow);
        for (StepEvent event : events) if (event.isOfHome()) home.take(event);
        home.end(state);
        home.found().forEach((step, all) -> all.forEach(what -> wrong(planned, step, what)));
    }

    /** What follows from a signal begins after it was sent. That the wait has one end, its home says. */
    private void lookAtSignal(PlannedWorkflow planned, List<StepEvent> events) {
        Instant sent = history.seen().signalled().getOrDefault(planned.id(), Instant.MAX);
        for (StepEvent event : events)
            if (event.isArrival()
                    && event.step().equals(PlannedWorkflow.AFTER_SIGNAL)
                    && event.isNotAfter(sent.minus(CLOCKS)))
                wrong(
                        planned,
                        event.step(),
                        "began at %s, before its signal was sent at %s".formatted(event.at(), sent));
    }

    private void wrong(PlannedWorkflow planned, String step, String what) {
        found.add("workflow %s%s: %s".formatted(planned.id(), step.isEmpty() ? "" : ", step " + step, what));
    }

    /** From the last end of a job before a callback first arrived in its queue until then, in milliseconds; null if it has not run. */
    static @Nullable Long callbackDelay(WorkflowHistory history, String workflow, String callback) {
        List<StepEvent> events = history.eventsByWorkflow().getOrDefault(workflow, List.of());
        Instant arrived = events.stream()
                .filter(event -> event.step().equals(callback) && event.isArrival())
                .map(StepEvent::at)
                .min(Instant::compareTo)
                .orElse(null);
        if (arrived == null) return null;
        return events.stream()
                .filter(event -> !event.step().startsWith("on_") && event.isEnd() && event.isNotAfter(arrived))
                .map(event -> arrived.toEpochMilli() - event.at().toEpochMilli())
                .min(Long::compareTo)
                .orElse(null);
    }

    /** Reasons of steps that have not ended, which must be one of these. */
    static final Set<String> REASONS =
            Arrays.stream(StepWaitReason.values()).map(StepWaitReason::wire).collect(Collectors.toUnmodifiableSet());
}
