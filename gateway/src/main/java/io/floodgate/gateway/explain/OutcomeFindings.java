package io.floodgate.gateway.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the runs of a queue end, and which of its jobs cannot run yet. */
final class OutcomeFindings {
    private static final String FULL = "docs/how-to/runbooks/queue-is-full.md";

    private OutcomeFindings() {}

    static @Nullable Finding failing(QueueStanding queue) {
        long failed = queue.recent().number("failed");
        long runs = queue.recentRuns();
        double share = runs == 0 ? 0 : (double) failed / runs;
        if (runs < Thresholds.FAILING_MIN_RUNS || share < Thresholds.FAILING_WARNING) return null;
        boolean isProblem = share >= Thresholds.FAILING_PROBLEM;
        List<Facts> errors = queue.facts().inside("errors").list("first");
        String type = errors.isEmpty() ? null : errors.getFirst().text("type");
        List<Advice> advice = new ArrayList<>();
        if (!errors.isEmpty())
            advice.add(Advice.say("Look at a job that failed: ./floodgate why job %s"
                    .formatted(errors.getFirst().text("job_id"))));
        if (isProblem && queue.handsOut())
            advice.add(Advice.of(
                    "If the failures harm others, pause the queue until the cause is gone.",
                    StateFindings.pause(queue, "runs fail")));
        long window = queue.recent().number("window_seconds");
        return new Finding(
                QueueCode.FAILING,
                isProblem ? Severity.PROBLEM : Severity.WARNING,
                null,
                "%s of the last %s of queue '%s' failed%s"
                        .formatted(
                                Words.percent(share),
                                Words.count(runs, "run"),
                                queue.name(),
                                type == null ? "" : ", most with '%s'".formatted(type)),
                errors.isEmpty()
                        ? "%s failed in %s."
                                .formatted(Words.count(failed, "run"), Words.duration(Duration.ofSeconds(window)))
                        : "%s failed in %s. The last error of type '%s' in the sample: %s"
                                .formatted(
                                        Words.count(failed, "run"),
                                        Words.duration(Duration.ofSeconds(window)),
                                        type,
                                        errors.getFirst().text("message")),
                new Evidence()
                        .with("failed", failed)
                        .with("of", runs)
                        .with("window_seconds", window)
                        .with("errors", errors(queue)),
                advice);
    }

    /** The error types of a sample; null if there are none. */
    static @Nullable Evidence errors(QueueStanding queue) {
        Facts errors = queue.facts().inside("errors");
        if (!errors.has("first")) return null;
        return new Evidence()
                .with("sampled", errors.number("sampled"))
                .with(
                        "first",
                        errors.list("first").stream()
                                .map(error -> new Evidence()
                                        .with("type", error.text("type"))
                                        .with("count", error.number("count"))
                                        .with("message", error.text("message"))
                                        .with("job_id", error.text("job_id"))
                                        .with("job_type", error.text("job_type")))
                                .toList());
    }

    static @Nullable Finding deadLetters(QueueStanding queue) {
        long dead = queue.facts().number("dead");
        Instant last = queue.facts().time("last_dead_at");
        if (dead == 0) return null;
        boolean isLately = last != null && last.plus(Thresholds.DEAD_LATELY).isAfter(queue.now());
        return new Finding(
                QueueCode.DEAD_LETTERS,
                !isLately ? Severity.INFO : dead < Thresholds.FEW_JOBS ? Severity.WARNING : Severity.PROBLEM,
                last,
                "Queue '%s' has %s%s"
                        .formatted(
                                queue.name(),
                                Words.count(dead, "dead letter"),
                                last == null ? "" : ", the last one came %s ago".formatted(queue.ago(last))),
                "They have used up their attempts, and do not run again by themselves." + whyHere(queue),
                new Evidence().with("dead", dead).with("last_dead_at", last).with("errors", errors(queue)),
                List.of(Advice.read(
                        "See why they failed, then retry or delete them: GET /ojs/v1/dead-letter?queue=%s"
                                .formatted(queue.name()),
                        "docs/how-to/runbooks/dead-letters.md")));
    }

    private static String whyHere(QueueStanding queue) {
        String target = queue.facts().inside("config").text("dead_letter_queue");
        return target == null
                ? ""
                : " Queue '%s' is there for them and has not taken these. Events 'floodgate.dead_letter_stayed' say why."
                        .formatted(target);
    }

    private static boolean isMost(long jobs, QueueStanding queue) {
        return jobs > 0 && jobs >= Thresholds.MOST_OF_DEPTH * queue.depth();
    }

    static @Nullable Finding waitingToRetry(QueueStanding queue) {
        long waiting = queue.retryable();
        if (!isMost(waiting, queue)) return null;
        Instant due = queue.facts().inside("later").time("next_due_at");
        return new Finding(
                QueueCode.WAITING_TO_RETRY,
                waiting < Thresholds.FEW_JOBS ? Severity.INFO : Severity.WARNING,
                null,
                "%s of %s of queue '%s' %s for the next attempt"
                        .formatted(
                                Words.number(waiting),
                                Words.count(queue.depth(), "unfinished job"),
                                queue.name(),
                                waiting == 1 ? "waits" : "wait"),
                "Their last attempts failed.%s%s"
                        .formatted(
                                next(due, queue),
                                queue.isFull() ? " They use the capacity of the queue meanwhile." : ""),
                new Evidence()
                        .with("retryable", waiting)
                        .with("depth", queue.depth())
                        .with("next_due_at", due)
                        .with("errors", errors(queue)),
                List.of(Advice.read("See why they fail; cancel those that cannot succeed.", FULL)));
    }

    private static String next(@Nullable Instant due, QueueStanding queue) {
        if (due == null) return "";
        Duration left = Duration.between(queue.now(), due);
        return left.isNegative() || left.isZero()
                ? " The first are due now."
                : " The next one found is due in %s.".formatted(Words.duration(left));
    }

    static @Nullable Finding scheduledLater(QueueStanding queue) {
        if (!isMost(queue.scheduled(), queue)) return null;
        Instant due = queue.facts().inside("later").time("next_due_at");
        return new Finding(
                QueueCode.SCHEDULED_LATER,
                queue.isFull() ? Severity.WARNING : Severity.INFO,
                null,
                "%s of %s of queue '%s' %s scheduled for later"
                        .formatted(
                                Words.number(queue.scheduled()),
                                Words.count(queue.depth(), "unfinished job"),
                                queue.name(),
                                queue.scheduled() == 1 ? "is" : "are"),
                (queue.isFull()
                                ? "They use the capacity of the queue until they run."
                                : "They do not run before their time.")
                        + next(due, queue),
                new Evidence()
                        .with("scheduled", queue.scheduled())
                        .with("depth", queue.depth())
                        .with("next_due_at", due),
                queue.isFull() ? List.of(Advice.read("Raise the bound, or cancel some of them.", FULL)) : List.of());
    }

    static @Nullable Finding notActivated(QueueStanding queue) {
        Instant oldest = queue.facts().inside("later").time("oldest_pending_at");
        if (!isMost(queue.pending(), queue) || oldest == null) return null;
        if (oldest.plus(Thresholds.PENDING_LONG).isAfter(queue.now())) return null;
        return new Finding(
                QueueCode.NOT_ACTIVATED,
                Severity.WARNING,
                oldest,
                "%s of %s of queue '%s' %s for an activation"
                        .formatted(
                                Words.number(queue.pending()),
                                Words.count(queue.depth(), "unfinished job"),
                                queue.name(),
                                queue.pending() == 1 ? "waits" : "wait"),
                "Their producers enqueued them as pending and have not activated them: the oldest one found has waited for %s."
                        .formatted(queue.ago(oldest)),
                new Evidence()
                        .with("pending", queue.pending())
                        .with("depth", queue.depth())
                        .with("oldest_pending_at", oldest),
                List.of(Advice.say("Activate or cancel them: GET /ojs/v1/jobs?queue=%s&state=pending lists them."
                        .formatted(queue.name()))));
    }
}
