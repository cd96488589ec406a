package io.floodgate.processor.queue.job;

import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Lease;
import io.floodgate.processor.queue.state.RunProgress;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.queue.OrderKey;
import io.floodgate.topics.retry.RetryPolicy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a job is shown: the members its producer sent, and the tail that the system adds
 * (docs/reference/log-protocol.md).
 */
public final class JobView {
    private static final byte[] NO_ERRORS = {'{', '}'};

    private JobView() {}

    /** The tail alone, as one object. */
    public static byte[] tail(JobRecord job) {
        JsonOut out = JsonOut.object(320);
        writeTail(job, out);
        return out.endObject().toBytes();
    }

    /** Writes the job on one line, its errors inside. */
    public static void complete(JobRecord job, JobParts parts, JsonOut out) {
        withoutErrors(job, parts, out);
        if (parts.errors() != null) out.members(parts.errors());
        out.endObject();
    }

    /**
     * Writes the job on one line and, if it has any, its errors on a second. The fill level of its queue comes third,
     * if that has a bound: a caller that learns that a job has ended may rely on its capacity.
     *
     * @param waiting why it is not run, should that have been asked for
     */
    public static void inLines(
            JobRecord job,
            JobParts parts,
            byte @Nullable [] limitedBy,
            byte @Nullable [] waiting,
            byte @Nullable [] load,
            JsonOut out) {
        withoutErrors(job, parts, out);
        out.optionalRaw("limited_by", limitedBy).optionalRaw("waiting", waiting);
        out.endObject().newLine();
        byte[] errors = parts.errors() == null && load != null ? NO_ERRORS : parts.errors();
        if (errors != null) out.raw(errors).newLine();
        if (load != null) out.raw(load).newLine();
    }

    /** Writes what distinguishes the job, and its state, on one line. */
    public static void summary(JobRecord job, JsonOut out) {
        out.beginObject().field("id", job.id.toString()).field("type", job.type);
        writeTail(job, out);
        out.optional("rate_limit_key", job.limitKey)
                .field("size_bytes", job.sizeBytes)
                .endObject();
    }

    private static void withoutErrors(JobRecord job, JobParts parts, JsonOut out) {
        // mutant: job-reply
        out.beginObject().members(parts.payload());
        writeTail(job, out);
        out.optional("kept_until", parts.keptUntil()).optionalRaw("result", parts.result());
        RunProgress progress = parts.progress();
        if (progress != null) progress.show(job, out);
    }

    private static void writeTail(JobRecord job, JsonOut out) {
        out.field("queue", job.queue)
                .field("priority", job.priority)
                .field("state", job.state.wire())
                .field("attempt", job.attempt)
                .field("max_attempts", job.retry.maxAttempts());
        if (!job.retry.equals(RetryPolicy.DEFAULT)) {
            out.name("retry");
            job.retry.write(out);
        }
        // Its own, or its queue's: workers have to know (OJS queue configuration §7.3).
        if (job.order != null) out.field(OrderKey.NAME, job.order.key());
        if (job.timeout != null) out.field("timeout_ms", job.timeout.toMillis());
        if (job.discardOnWorkerLost) out.field("on_worker_lost", "discard");
        String created = Timestamps.format(job.createdAt);
        out.field("created_at", created)
                .field(
                        "enqueued_at",
                        job.enqueuedAt.equals(job.createdAt) ? created : Timestamps.format(job.enqueuedAt));
        if (job.showsExpiry) out.optional("expires_at", job.expiresAt);
        out.optional("activated_at", job.activatedAt)
                .optional("re_enqueued_at", job.reEnqueuedAt)
                .optional("started_at", job.startedAt)
                .optional("retry_delay_ms", job.retryDelay == null ? null : (Long) job.retryDelay.toMillis());
        if (job.previousState != null) out.field("previous_state", job.previousState.wire());
        if (job.tie != null) out.field("unique_key", job.tie.fingerprint());
        writeDeadLetterInfo(job.deadLetterInfo, out);
        out.optional("dead_letter_queue", job.isLive() ? null : job.movingTo);
        writeState(job, out);
    }

    private static void writeDeadLetterInfo(JobRecord.@Nullable DeadLetterInfo info, JsonOut out) {
        if (info == null) return;
        out.beginObject("dead_letter")
                .field("original_queue", info.origin())
                .field("reason", info.reason())
                .field("at", info.at())
                .field("kept_until", info.until())
                .endObject();
    }

    private static void writeState(JobRecord job, JsonOut out) {
        Instant ended = job.endedAt;
        switch (job.state) {
            case SCHEDULED -> out.optional("scheduled_at", job.scheduledAt);
            case RETRYABLE ->
                out.optional("next_attempt_at", job.nextAttemptAt).optional("next_retry_at", job.nextAttemptAt);
            case ACTIVE -> writeLease(job.lease, out);
            case COMPLETED -> out.optional("completed_at", ended);
            case CANCELLED -> out.optional("cancelled_at", ended);
            case DISCARDED -> {
                out.optional("discarded_at", ended);
                if (!job.expired) out.optional("completed_at", ended);
            }
            case AVAILABLE, PENDING -> {}
        }
    }

    private static void writeLease(@Nullable Lease lease, JsonOut out) {
        if (lease == null) return;
        out.optional("worker_id", lease.worker())
                .field("lease", lease.number())
                .field("lease_expires_at", lease.until());
    }

    /** The stored parts of a job besides its state. */
    record JobParts(
            byte[] payload,
            byte @Nullable [] errors,
            byte @Nullable [] result,
            @Nullable RunProgress progress,
            @Nullable Instant keptUntil) {}
}
