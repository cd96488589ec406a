package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.job.JobState;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a run ends, and what becomes of the job then. */
final class Attempts {
    private final Queues queues;
    private final Jobs jobs;
    private final JobEvents events;
    private final Effects out;

    Attempts(Queues queues, Jobs jobs, JobEvents events, Effects out) {
        this.queues = queues;
        this.jobs = jobs;
        this.events = events;
        this.out = out;
    }

    void succeed(Job job, byte @Nullable [] result) {
        Duration ran = ran(job);
        queues.of(job).throughput.complete(out.now(), ran, waited(job));
        if (result != null) jobs.setResult(job, result);
        jobs.change(job, j -> end(j, JobState.COMPLETED));
        events.emit("job.completed", job, data -> {
            data.field("duration_ms", ran.toMillis());
            if (result != null && result.length <= 4096) data.fieldRaw("result", result);
        });
    }

    /** The handler reported a failure, or took too long: the retry policy decides (OJS retry §7.2). */
    void fail(Job job, ErrorReport error) {
        byte[] entry = record(job, error);
        switch (verdict(job, error)) {
            case RETRY -> retryLater(job, entry);
            case DEAD_LETTER -> discard(job, entry, true);
            case DISCARD -> discard(job, entry, false);
        }
    }

    private enum Verdict {
        RETRY,
        DEAD_LETTER,
        DISCARD
    }

    private static Verdict verdict(Job job, ErrorReport error) {
        switch (error.code()) {
            case "DISCARD", "FAIL" -> {
                return Verdict.DISCARD;
            }
            case "DEAD_LETTER" -> {
                return Verdict.DEAD_LETTER;
            }
            default -> {}
        }
        boolean again = job.retry.allowsRetryAfter(job.attempt)
                && !Boolean.FALSE.equals(error.retryable())
                && !job.retry.rulesOut(error.type())
                && !job.retry.rulesOut(error.code());
        if (again) return Verdict.RETRY;
        return job.retry.deadLetterOnExhaustion() ? Verdict.DEAD_LETTER : Verdict.DISCARD;
    }

    private void retryLater(Job job, byte[] error) {
        Duration delay = job.retry.delayAfter(job.attempt, job.id);
        Instant next = out.now().plus(delay);
        jobs.change(job, j -> {
            j.state = JobState.RETRYABLE;
            j.lease = null;
            j.retryDelay = delay;
            j.nextAttemptAt = next;
        });
        events.emit("job.failed", job, data -> data.fieldRaw("error", error));
        events.emit(
                "job.retrying",
                job,
                data -> data.field("max_attempts", job.retry.maxAttempts())
                        .field("next_retry_at", next)
                        .fieldRaw("error", error));
    }

    private void discard(Job job, byte[] error, boolean deadLetter) {
        jobs.change(job, j -> {
            end(j, JobState.DISCARDED);
            j.deadLetter = deadLetter;
        });
        events.emit("job.failed", job, data -> data.fieldRaw("error", error));
        announceDiscarded(job, error);
    }

    private void announceDiscarded(Job job, byte[] error) {
        events.emit(
                "job.discarded",
                job,
                data -> data.field("total_attempts", job.attempt).fieldRaw("last_error", error));
        if (job.deadLetter) events.emit("dead_letter.added", job);
    }

    /** The worker is gone or has not been heard of in time: another one may try at once, if attempts are left. */
    void loseLease(Job job, ErrorReport error) {
        byte[] entry = record(job, error);
        if (job.discardOnWorkerLost || !job.retry.allowsRetryAfter(job.attempt)) {
            discard(job, entry, job.retry.deadLetterOnExhaustion());
            return;
        }
        jobs.change(job, Attempts::toAvailable);
        events.emit("job.failed", job, data -> data.fieldRaw("error", entry));
        events.emit("job.available", job, data -> data.field("reason", error.type()));
    }

    /** The worker gives the job back untried: it takes its old place, and the attempt does not count. */
    void giveBack(Job job) {
        jobs.change(job, j -> {
            toAvailable(j);
            j.attempt--;
        });
        events.emit("job.available", job, data -> data.field("reason", "requeued"));
    }

    private static void toAvailable(Job job) {
        job.state = JobState.AVAILABLE;
        job.lease = null;
        job.startedAt = null;
    }

    /** Its time to live ran out before a run began (OJS core §5.2, expires_at). */
    void expire(Job job) {
        ErrorReport error = ErrorReport.of("enqueue_ttl_expired", "The job expired before it was run.");
        byte[] entry = record(job, error);
        jobs.change(job, j -> {
            end(j, JobState.DISCARDED);
            j.expired = true;
            j.deadLetter = j.retry.deadLetterOnExhaustion();
        });
        events.emit(
                "job.expired",
                job,
                data -> data.field("created_at", job.createdAt)
                        .field("expired_at", out.now())
                        .field(
                                "ttl_ms",
                                Duration.between(job.createdAt, out.now()).toMillis()));
        announceDiscarded(job, entry);
    }

    void cancel(Job job) {
        jobs.change(job, j -> {
            JobState before = j.state;
            end(j, JobState.CANCELLED);
            j.previousState = before;
        });
        events.emit(
                "job.cancelled",
                job,
                data -> data.field("previous_state", job.previousState == null ? "" : job.previousState.wire()));
    }

    private void end(Job job, JobState state) {
        job.state = state;
        job.endedAt = out.now();
        job.lease = null;
        job.nextAttemptAt = null;
        job.scheduledAt = null;
        job.previousState = null;
    }

    private byte[] record(Job job, ErrorReport error) {
        queues.of(job).throughput.fail(out.now());
        String now = io.floodgate.topics.json.Timestamps.format(out.now());
        JsonOut entry = new JsonOut().beginObject().field("attempt", job.attempt);
        error.write(entry).field("occurred_at", now).field("timestamp", now);
        if (job.lease != null) entry.optional("worker_id", job.lease.worker());
        byte[] json = entry.endObject().toBytes();
        jobs.addError(job, json);
        return json;
    }

    private Duration ran(Job job) {
        return job.startedAt == null ? Duration.ZERO : Duration.between(job.startedAt, out.now());
    }

    private static Duration waited(Job job) {
        return job.startedAt == null ? Duration.ZERO : Duration.between(job.enqueuedAt, job.startedAt);
    }
}
