package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import io.floodgate.gateway.explain.Explanation.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Why a workflow stands as it does: by the one reason of each of its steps that have not ended. */
final class WorkflowExplainer {
    private static final int NAMED = 5;

    /** Of a step that only its queue can make go on. */
    private static final Set<String> IN_QUEUE =
            Set.of("available", "no_room", "own_line_full", "queue_paused", "rate_limited");

    private final Facts workflow;
    private final List<Facts> steps;
    private final boolean isBlocked;
    private final String id;
    private final Instant now;
    /** The steps that have not ended, by their reasons. */
    private final Map<String, List<Facts>> byReason = new TreeMap<>();

    private WorkflowExplainer(Facts workflow, List<Facts> steps, boolean isBlocked, Instant now) {
        this.now = now;
        this.isBlocked = isBlocked;
        this.workflow = workflow;
        this.steps = steps;
        id = String.valueOf(workflow.text("id"));
        for (Facts step : steps) {
            String reason = step.inside("waits").text("reason");
            if (reason != null && !step.has("kind"))
                byReason.computeIfAbsent(reason, r -> new ArrayList<>()).add(step);
        }
    }

    /**
     * The queues of all steps that do not wait for others, if only these queues can make the workflow go on; none if a step runs, or
     * begins by itself, or is not among these.
     */
    static Set<String> lastQueues(Facts workflow, List<Facts> steps) {
        Set<String> queues = new TreeSet<>();
        for (Facts step : steps) {
            String reason = step.inside("waits").text("reason");
            if (reason == null || reason.equals("waits_for") || step.has("kind")) continue;
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
        if (explainer.byReason.containsKey("log_silent")) notKnown.add("how the steps stand whose partition is silent");
        if (workflow.has("next_step"))
            notKnown.add("how the steps behind the first %s stand".formatted(Words.number(steps.size())));
        return new Explanation(
                new Subject("workflow", explainer.id),
                now,
                true,
                from,
                explainer.findings(),
                explainer.figures(),
                explainer.who(),
                notKnown);
    }

    static Explanation unknown(String id, Instant now, String from) {
        return Explanation.unknown(
                new Subject("workflow", id),
                Finding.of(
                        WorkflowCode.UNKNOWN_WORKFLOW,
                        Severity.UNKNOWN,
                        "There is no workflow '%s'".formatted(id),
                        "It never came, or its retention is over."),
                now,
                from);
    }

    private List<Finding> findings() {
        String state = String.valueOf(workflow.text("state"));
        List<Finding> findings = new ArrayList<>();
        switch (state) {
            case "failed" -> findings.add(failed());
            case "cancelled" ->
                findings.add(
                        Finding.of(WorkflowCode.WORKFLOW_CANCELLED, Severity.OK, "The workflow was cancelled", ""));
            case "completed" ->
                findings.add(Finding.of(WorkflowCode.WORKFLOW_COMPLETED, Severity.OK, "The workflow is completed", ""));
            default -> unfinished(findings);
        }
        return findings;
    }

    private Finding failed() {
        List<Facts> errors = workflow.list("errors");
        Facts first = errors.isEmpty() ? Facts.NONE : errors.getFirst();
        String step = first.text("step");
        return new Finding(
                WorkflowCode.FAILED,
                Severity.PROBLEM,
                workflow.time("completed_at"),
                step == null
                        ? "The workflow has failed: %s".formatted(first.text("code"))
                        : "The workflow has failed: step '%s' did (%s)".formatted(step, first.text("code")),
                String.valueOf(first.text("message")),
                new Evidence()
                        .with("step", step)
                        .with("code", first.text("code"))
                        .with("job_id", first.text("job_id"))
                        .with("failed_callback", workflow.text("failed_callback")),
                List.of(Advice.of(
                        "Once that is mended, run what has failed again.",
                        new Action(
                                "workflow.retry",
                                "POST",
                                "/ojs/v1/workflows/%s/retry".formatted(id),
                                null,
                                Action.CHANGE))));
    }

    private void unfinished(List<Finding> findings) {
        add(
                findings,
                "log_silent",
                WorkflowCode.STEP_SILENT,
                Severity.PROBLEM,
                "Their partition does not answer",
                null);
        long failed = workflow.number("jobs_failed");
        if (failed > 0)
            findings.add(Finding.of(
                    WorkflowCode.STEP_FAILED,
                    Severity.WARNING,
                    "%s of %s jobs have failed".formatted(Words.number(failed), total()),
                    "The workflow goes on with the others."));
        add(
                findings,
                "queue_paused",
                WorkflowCode.STEPS_IN_PAUSED_QUEUE,
                Severity.WARNING,
                "In a paused queue",
                "queue");
        add(
                findings,
                "no_room",
                WorkflowCode.STEPS_WITHOUT_ROOM,
                ifItGoesOn(Severity.WARNING),
                "Waiting for room in a queue",
                "queue");
        add(
                findings,
                "own_line_full",
                WorkflowCode.STEPS_WITHOUT_ROOM,
                ifItGoesOn(Severity.WARNING),
                "Without a place in the line of a queue, and tried again",
                "queue");
        add(findings, "retryable", WorkflowCode.STEPS_RETRYING, Severity.WARNING, "Waiting for the next attempt", null);
        add(
                findings,
                "available",
                WorkflowCode.STEPS_AVAILABLE,
                ifItGoesOn(Severity.INFO),
                "Waiting for a worker",
                "queue");
        add(
                findings,
                "rate_limited",
                WorkflowCode.STEPS_LIMITED,
                ifItGoesOn(Severity.INFO),
                "Held back by a rate limit",
                "key");
        add(findings, "scheduled", WorkflowCode.STEPS_SCHEDULED, Severity.INFO, "To run later", null);
        add(findings, "active", WorkflowCode.STEPS_RUNNING, Severity.INFO, "Running", "worker_id");
        add(findings, "waits_for", WorkflowCode.STEPS_WAITING, Severity.INFO, "Waiting for other steps", null);
        if (findings.isEmpty())
            findings.add(Finding.of(
                    WorkflowCode.WORKFLOW_RUNNING,
                    Severity.OK,
                    "%s of %s jobs have ended".formatted(Words.number(ended()), total()),
                    ""));
    }

    /** Stuck: none of its steps runs, and none has ended for a while. */
    private Severity ifItGoesOn(Severity severity) {
        Instant progress = workflow.time("progress_at");
        boolean isStuck = progress != null
                && !byReason.containsKey("active")
                && !progress.plus(Thresholds.WORKFLOW_STUCK).isAfter(now);
        return isStuck || isBlocked ? Severity.PROBLEM : severity;
    }

    /** What the first of these steps waits for. */
    private static String neededBy(Facts step) {
        Facts waits = step.inside("waits");
        List<String> names = waits.texts("steps");
        long total = waits.number("steps_total");
        if (names.isEmpty()) return "";
        if (total == 1) return "Step '%s' waits for step '%s'.".formatted(step.text("id"), names.getFirst());
        List<String> first = names.subList(0, Math.min(2, names.size()));
        return "Step '%s' waits for %s steps: %s%s."
                .formatted(
                        step.text("id"),
                        Words.number(total),
                        String.join(", ", first),
                        total > first.size() ? " and %s more".formatted(Words.number(total - first.size())) : "");
    }

    /** @param detail of the reason that is named, too */
    private void add(
            List<Finding> findings,
            String reason,
            WorkflowCode code,
            Severity severity,
            String what,
            @Nullable String detail) {
        List<Facts> waiting = byReason.getOrDefault(reason, List.of());
        if (waiting.isEmpty()) return;
        List<String> names =
                waiting.stream().limit(NAMED).map(step -> step.text("id")).toList();
        List<String> details = detail == null
                ? List.of()
                : waiting.stream()
                        .map(step -> step.inside("waits").text(detail))
                        .filter(text -> text != null)
                        .distinct()
                        .limit(NAMED)
                        .toList();
        String title = waiting.size() == 1
                ? "%s: step '%s'".formatted(what, names.getFirst())
                : "%s: %s steps".formatted(what, Words.number(waiting.size()));
        String text = "%s%s %s%s"
                .formatted(
                        waiting.size() > 1 ? "The first are %s.".formatted(String.join(", ", names)) : "",
                        details.isEmpty() ? "" : " (%s: %s)".formatted(detail, String.join(", ", details)),
                        neededBy(waiting.getFirst()),
                        isBlocked && severity == Severity.PROBLEM
                                ? "Every queue in question has a problem, and no other step can make the workflow go on."
                                : "");
        Evidence evidence = new Evidence()
                .with("reason", reason)
                .with("steps", waiting.size())
                .with("first", names)
                .with(detail == null ? "details" : detail, details.isEmpty() ? null : details);
        findings.add(new Finding(
                code,
                severity,
                severity == Severity.PROBLEM ? workflow.time("progress_at") : null,
                title,
                text.strip(),
                evidence,
                advice(code, details)));
    }

    private List<Advice> advice(WorkflowCode code, List<String> details) {
        String first = details.isEmpty() ? "" : details.getFirst();
        return switch (code) {
            case STEPS_IN_PAUSED_QUEUE ->
                List.of(Advice.of(
                        "Resume the queue.",
                        new Action(
                                "queue.resume",
                                "POST",
                                "/ojs/v1/queues/%s/resume".formatted(first),
                                null,
                                Action.REVERSIBLE)));
            case STEPS_WITHOUT_ROOM, STEPS_AVAILABLE ->
                List.of(Advice.say("See why the queue stands so: floodgate why queue %s".formatted(first)));
            case STEPS_LIMITED -> List.of(Advice.say("floodgate why limit %s".formatted(first)));
            case STEP_SILENT -> List.of(Advice.say("See whether the server is well: floodgate why system"));
            default -> List.of();
        };
    }

    private String total() {
        return Words.number(workflow.number("jobs_total"));
    }

    private long ended() {
        Facts metadata = workflow.inside("metadata");
        return metadata.number("completed_count")
                + metadata.number("failed_count")
                + metadata.number("cancelled_count");
    }

    private Evidence figures() {
        Facts metadata = workflow.inside("metadata");
        return new Evidence()
                .with("type", workflow.text("type"))
                .with("jobs", workflow.number("jobs_total"))
                .with("completed", metadata.number("completed_count"))
                .with("failed", metadata.number("failed_count"))
                .with("cancelled", metadata.number("cancelled_count"));
    }

    private Evidence who() {
        Evidence reasons = new Evidence();
        byReason.forEach((reason, waiting) -> reasons.with(
                reason,
                waiting.stream().limit(NAMED).map(step -> step.text("id")).toList()));
        return new Evidence().with("steps", steps.size()).with("unfinished", reasons);
    }
}
