package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How a job ended. */
final class EndedJobs {
    private EndedJobs() {}

    static Finding of(JobStanding job) {
        return switch (job.state()) {
            case "completed" -> completed(job);
            case "cancelled" -> cancelled(job);
            default -> discarded(job);
        };
    }

    private static Finding completed(JobStanding job) {
        Instant ended = job.job().time("completed_at");
        Instant started = job.job().time("started_at");
        String ran = ended == null || started == null
                ? ""
                : "It ran for %s, in %s.".formatted(Words.duration(Duration.between(started, ended)), job.attempts());
        return new Finding(
                JobCode.COMPLETED,
                Severity.OK,
                ended,
                "Job %s succeeded".formatted(job.id()),
                ran,
                new Evidence().with("completed_at", ended),
                List.of());
    }

    /** Without the request where it would be rejected: when the time to live is over, or the queue is full. */
    private static Advice retry(JobStanding job, String text) {
        Instant end = job.job().time("expires_at");
        boolean isLate = end != null && !end.isAfter(job.now());
        if (isLate || job.queue().isFull())
            return Advice.say("%s It cannot be retried now: %s."
                    .formatted(text, isLate ? "its time to live is over" : "its queue is full"));
        return Advice.of(
                text,
                new Action(
                        "job.retry", "POST", "/ojs/v1/admin/jobs/%s/retry".formatted(job.id()), null, Action.CHANGE));
    }

    private static Finding cancelled(JobStanding job) {
        Instant ended = job.job().time("cancelled_at");
        String before = job.job().text("previous_state");
        return new Finding(
                JobCode.CANCELLED,
                Severity.INFO,
                ended,
                "Job %s was cancelled%s".formatted(job.id(), before == null ? "" : " while it was " + before),
                "",
                new Evidence().with("cancelled_at", ended).with("previous_state", before),
                List.of(retry(job, "If that was a mistake, retry it.")));
    }

    private static Finding discarded(JobStanding job) {
        JobCode code = code(job);
        Instant ended = job.job().time("discarded_at");
        String error = job.shownError();
        String dead = job.job().text("dead_letter_queue");
        return new Finding(
                code,
                code == JobCode.QUEUE_DELETED ? Severity.INFO : Severity.WARNING,
                ended,
                "Job %s was discarded: %s".formatted(job.id(), why(code, job)),
                error.isEmpty() ? "" : "The last error: " + error,
                new Evidence()
                        .with("discarded_at", ended)
                        .with("error", error.isEmpty() ? null : error)
                        .with("dead_letter_queue", dead),
                advice(code, job));
    }

    private static JobCode code(JobStanding job) {
        return switch (String.valueOf(job.lastError().text("type"))) {
            case "enqueue_ttl_expired" -> JobCode.EXPIRED;
            case "overflow" -> JobCode.OVERFLOW;
            case "rate_limited" -> JobCode.RATE_LIMIT_DROPPED;
            case "queue_deleted" -> JobCode.QUEUE_DELETED;
            default -> afterRun(job);
        };
    }

    private static JobCode afterRun(JobStanding job) {
        boolean areUsed = job.job().number("attempt") >= job.job().number("max_attempts");
        if (areUsed) return JobCode.ATTEMPTS_USED;
        return "worker_death".equals(job.lastError().text("type")) ? JobCode.WORKER_LOST_ONCE : JobCode.NOT_RETRYABLE;
    }

    private static String why(JobCode code, JobStanding job) {
        return switch (code) {
            case EXPIRED -> "its time to live was over before it was run";
            case OVERFLOW -> "its queue was full, and it made room for a newer job";
            case RATE_LIMIT_DROPPED -> "a rate limit was reached, and it was not to wait";
            case QUEUE_DELETED -> "its queue was deleted";
            case WORKER_LOST_ONCE -> "its worker was lost, and it was not to be run twice";
            case NOT_RETRYABLE -> "its error ruled out another attempt (%s)".formatted(job.attempts());
            default ->
                "all its attempts failed (%d of %d)"
                        .formatted(job.job().number("attempt"), job.job().number("max_attempts"));
        };
    }

    /** Jobs whose queue is gone have nowhere to run. */
    private static List<Advice> advice(JobCode code, JobStanding job) {
        return switch (code) {
            case QUEUE_DELETED -> List.of();
            case EXPIRED -> List.of(Advice.say("Enqueue it again if it is still wanted."));
            case WORKER_LOST_ONCE -> List.of(retry(job, "Find out whether the run had an effect; then retry it."));
            default -> List.of(retry(job, "Correct the cause, then retry it."));
        };
    }
}
