package io.floodgate.topics.job;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.queue.OrderKey;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.unique.UniquePolicy;
import io.floodgate.topics.version.JobVersion;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as submitted, checked and understood. {@code members} is a JSON object with everything that is shown as it was
 * sent (type, arguments, meta, tags, unknown fields …); the other components are what the rules need to know.
 *
 * @param version as fetches compare it; null if the job has none
 */
public record Envelope(
        @Nullable JobId id,
        String type,
        @Nullable JobVersion version,
        String queue,
        int priority,
        byte[] members,
        Terms terms) {
    private static final JobId ANY_ID = new JobId(0, 0);

    /**
     * The terms of a producer besides the work itself.
     *
     * @param orderKey of a job that names one
     * @param owner gets the outcome of a job that the system has made
     */
    public record Terms(
            @Nullable When scheduledAt,
            @Nullable When expiresAt,
            @Nullable Duration timeout,
            @Nullable Duration visibility,
            RetryOptions retry,
            boolean pending,
            @Nullable Boolean discardOnWorkerLost,
            @Nullable String testDirective,
            @Nullable RateLimit rateLimit,
            @Nullable UniquePolicy unique,
            @Nullable String orderKey,
            @Nullable JobOwner owner) {
        Terms with(UniquePolicy policy) {
            return new Terms(
                    scheduledAt,
                    expiresAt,
                    timeout,
                    visibility,
                    retry,
                    pending,
                    discardOnWorkerLost,
                    testDirective,
                    rateLimit,
                    policy,
                    orderKey,
                    owner);
        }

        private Terms at(When time) {
            return new Terms(
                    time,
                    expiresAt,
                    timeout,
                    visibility,
                    retry,
                    pending,
                    discardOnWorkerLost,
                    testDirective,
                    rateLimit,
                    unique,
                    orderKey,
                    owner);
        }
    }

    public Envelope withId(JobId made) {
        return new Envelope(made, type, version, queue, priority, members, terms);
    }

    Envelope withMembers(byte[] others) {
        return new Envelope(id, type, version, queue, priority, others, terms);
    }

    /** The same, to be run at this time. */
    public Envelope scheduledAt(Instant time) {
        return new Envelope(id, type, version, queue, priority, members, terms.at(When.at(time)));
    }

    /** The part of the job that never changes, as a JSON object: {@code specversion} is among the members. */
    public byte[] payload(JobId id) {
        return JsonOut.object(members.length + 64)
                .field("id", id.toString())
                .members(members)
                .endObject()
                .toBytes();
    }

    /** Returns the bytes that the job takes of a bound: as many whatever its id. */
    public int storedBytes() {
        return storedBytes(payload(ANY_ID));
    }

    /** @param payload of this job */
    public int storedBytes(byte[] payload) {
        return payload.length + terms.retry.errorBytes();
    }

    /** The whole envelope in its canonical spelling; reading it again gives an equal envelope. */
    public byte[] toJson() {
        JsonOut out = JsonOut.object(members.length + 192);
        if (id != null) out.field("id", id.toString());
        out.members(members).field("queue", queue);
        if (priority != 0) out.field("priority", priority);
        if (terms.scheduledAt != null) out.field("scheduled_at", terms.scheduledAt.wire());
        // An absolute expiry stands among the members, as it was sent.
        if (terms.expiresAt != null && terms.expiresAt.isRelative()) out.field("expires_at", terms.expiresAt.wire());
        if (!terms.retry.isNone()) {
            out.name("retry");
            terms.retry.write(out);
        }
        if (terms.pending) out.field("pending", true);
        if (terms.timeout != null) out.field("timeout_ms", terms.timeout.toMillis());
        if (terms.orderKey != null) out.field(OrderKey.NAME, terms.orderKey);
        if (terms.discardOnWorkerLost != null)
            out.field("on_worker_lost", terms.discardOnWorkerLost ? "discard" : "retry");
        return out.endObject().toBytes();
    }
}
