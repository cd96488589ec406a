package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.workflow.StepWaitReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Why a workflow stands as it does: by the one reason of each of its steps that have not ended. */
final class WorkflowExplainer {
    private static final int NAMED = 5;
    private static final int NEEDED = 2;

    /** Of a step that only its queue can make go on. */
    private static final Set<StepWaitReason> IN_QUEUE = EnumSet.of(
            StepWaitReason.AVAILABLE,
            StepWaitReason.NO_ROOM,
            StepWaitReason.OWN_LINE_FULL,
            StepWaitReason.QUEUE_PAUSED,
            StepWaitReason.RATE_LIMITED);

    private final Facts workflow;
    private final FindingFacts facts;
    private final List<Facts> steps;
    private final boolean isBlocked;
    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();
    /** The steps that have not ended, by their reasons. */
    private final Map<StepWaitReason, List<Facts>> byReason = new EnumMap<>(StepWaitReason.class);

    private WorkflowExplainer(Facts workflow, List<Facts> steps, boolean isBlocked, Instant now) {
        this.now = now;
        this.isBlocked = isBlocked;
        this.workflow = workflow;
        this.steps = steps;
        facts = FindingFacts.of(workflow, now);
        for (Facts step : steps) {
            StepWaitReason reason = reason(step);
            if (reason != null)
                byReason.computeIfAbsent(reason, r -> new ArrayList<>()).add(step);
        }
    }

    /** Null for a group, and for a step that has ended. */
    private static @Nullable StepWaitReason reason(Facts step) {
        String reason = step.inside("waits").text("reason");
        return reason == null || "workflow".equals(step.text("kind"))
                ? null
                : WireName.parse(StepWaitReason.class, reason).orElse(null);
    }

    /**
     * The queues of all steps that do not wait for others, if only these queues can make the workflow go on; none if a step runs, or
     * begins by itself, or is not among these.
     */
    static Set<String> lastQueues(Facts workflow, List<Facts> steps) {
        Set<String> queues = new TreeSet<>();
        for (Facts step : steps) {
            StepWaitReason reason = reason(step);
            if (reason == null || reason == StepWaitReason.WAITS_FOR) continue;
            String queue = step.text("queue");
            if (!IN_QUEUE.contains(reason) || queue == null) return Set.of();
            queues.add(queue);
        }
        return workflow.has("next_step") ? Set.of() : queues;
    }

    static Explanation explain(Facts workflow, List<Facts> steps, Instant now, String from) {
        return explain(workflow, steps, false, now, from);
    }

    /**
     * @param steps as they stand now
     * @param isBlocked all of the {@link #lastQueues} have a problem
     */
    static Explanation explain(Facts workflow, List<Facts> steps, boolean isBlocked, Instant now, String from) {
        WorkflowExplainer explainer = new WorkflowExplainer(workflow, steps, isBlocked, now);
        List<String> notKnown = new ArrayList<>();
        if (explainer.byReason.containsKey(StepWaitReason.LOG_SILENT))
            notKnown.add("how the steps stand whose partition is silent");
        if (workflow.has("next_step"))
            notKnown.add("how the steps behind the first %s stand".formatted(Words.number(steps.size())));
        switch (String.valueOf(workflow.text("state"))) {
            case "failed" -> explainer.failed();
            case "cancelled" -> explainer.findings.add(WorkflowCode.WORKFLOW_CANCELLED.finding(explainer.facts));
            case "completed" -> explainer.findings.add(WorkflowCode.WORKFLOW_COMPLETED.finding(explainer.facts));
            default -> explainer.unfinished();
        }
        return new Explanation(
                new Subject("workflow", String.valueOf(workflow.text("id"))),
                now,
                true,
                from,
                explainer.findings,
                workflow.pick("type jobs=jobs_total completed=metadata.completed_count failed=metadata.failed_count"
                        + " cancelled=metadata.cancelled_count"),
                explainer.who(),
                notKnown);
    }

    static Explanation unknown(String id, Instant now, String from) {
        return Explanation.unknown("workflow", id, WorkflowCode.UNKNOWN_WORKFLOW, now, from);
    }

    private void failed() {
        List<Facts> errors = workflow.list("errors");
        Facts first = errors.isEmpty() ? Facts.NONE : errors.getFirst();
        findings.add(WorkflowCode.FAILED.finding(facts.with("step", first.text("step"))
                .with("code", first.text("code"))
                .with("message", first.text("message"))
                .with("job_id", first.text("job_id"))));
    }

    private void unfinished() {
        byReason.keySet().forEach(this::waiting);
        if (workflow.number("jobs_failed") > 0) findings.add(WorkflowCode.STEP_FAILED.finding(facts));
        Facts counts = workflow.inside("metadata");
        long ended =
                counts.number("completed_count") + counts.number("failed_count") + counts.number("cancelled_count");
        if (findings.isEmpty()) findings.add(WorkflowCode.WORKFLOW_RUNNING.finding(facts.with("ended", ended)));
    }

    private void waiting(StepWaitReason reason) {
        switch (reason) {
            case LOG_SILENT -> add(WorkflowCode.STEP_SILENT, Severity.PROBLEM, reason, null);
            case QUEUE_PAUSED -> add(WorkflowCode.STEPS_IN_PAUSED_QUEUE, Severity.WARNING, reason, "queue");
            case NO_ROOM, OWN_LINE_FULL ->
                add(WorkflowCode.STEPS_WITHOUT_ROOM, ifItGoesOn(Severity.WARNING), reason, "queue");
            case RETRYABLE -> add(WorkflowCode.STEPS_RETRYING, Severity.WARNING, reason, null);
            case AVAILABLE -> add(WorkflowCode.STEPS_AVAILABLE, ifItGoesOn(Severity.INFO), reason, "queue");
            case RATE_LIMITED -> add(WorkflowCode.STEPS_LIMITED, ifItGoesOn(Severity.INFO), reason, "key");
            case SCHEDULED -> add(WorkflowCode.STEPS_SCHEDULED, Severity.INFO, reason, null);
            case ACTIVE -> add(WorkflowCode.STEPS_RUNNING, Severity.INFO, reason, "worker_id");
            case SIGNAL -> add(WorkflowCode.STEPS_WAITING_FOR_SIGNAL, Severity.INFO, reason, null);
            case WAITS_FOR -> add(WorkflowCode.STEPS_WAITING, Severity.INFO, reason, null);
        }
    }

    /** Stuck: none of its steps runs, and none has ended for a while. */
    private Severity ifItGoesOn(Severity severity) {
        Instant progress = workflow.time("progress_at");
        boolean isStuck = progress != null
                && !byReason.containsKey(StepWaitReason.ACTIVE)
                && !progress.plus(Thresholds.WORKFLOW_STUCK).isAfter(now);
        return isStuck || isBlocked ? Severity.PROBLEM : severity;
    }

    /** @param detail of the reason that is named, too */
    private void add(WorkflowCode code, Severity severity, StepWaitReason reason, @Nullable String detail) {
        List<Facts> waiting = Objects.requireNonNull(byReason.get(reason));
        List<String> details = detail == null
                ? List.of()
                : waiting.stream()
                        .map(step -> step.inside("waits").text(detail))
                        .filter(Objects::nonNull)
                        .distinct()
                        .limit(NAMED)
                        .toList();
        FindingFacts found = needed(waiting.getFirst())
                .with("reason", reason.wire())
                .with("steps", waiting.size())
                .with("is_many", waiting.size() > 1)
                .with("first", ids(waiting))
                .with("is_tried", reason == StepWaitReason.OWN_LINE_FULL)
                .with("is_blocked", isBlocked && severity == Severity.PROBLEM)
                .with("stuck_since", severity == Severity.PROBLEM ? workflow.time("progress_at") : null);
        if (detail != null && !details.isEmpty())
            found = found.with("detail", detail)
                    .with("details", details)
                    .with(detail, details.getFirst())
                    .with("named", new Evidence().with(detail, details));
        findings.add(code.finding(severity, found));
    }

    /** What this step waits for. */
    private FindingFacts needed(Facts step) {
        Facts waits = step.inside("waits");
        long total = waits.number("steps_total");
        return facts.with("step", step.text("id"))
                .with("event", waits.text("event"))
                .with("key", waits.text("key"))
                .with("since", waits.time("since"))
                .with("until", waits.time("until"))
                .with("is_one", total == 1)
                .with("needed_total", total)
                .with("needed", waits.texts("steps").stream().limit(NEEDED).toList())
                .with("more", Math.max(0, total - NEEDED));
    }

    private static List<String> ids(List<Facts> steps) {
        return steps.stream()
                .limit(NAMED)
                .map(step -> String.valueOf(step.text("id")))
                .toList();
    }

    private Evidence who() {
        Evidence reasons = new Evidence();
        byReason.forEach((reason, waiting) -> reasons.with(reason.wire(), ids(waiting)));
        return new Evidence().with("steps", steps.size()).with("unfinished", reasons);
    }
}
