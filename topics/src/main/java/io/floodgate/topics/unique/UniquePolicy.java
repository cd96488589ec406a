package io.floodgate.topics.unique;

import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.json.Wire;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a job with {@code unique} asks for.
 *
 * @param fingerprint of the job: 64 hexadecimal digits
 * @param ofQueue the queue is part of the fingerprint
 * @param states in which another job is a duplicate: a bit for each, by its code
 * @param period after the creation of another job, during which it is a duplicate; null for no limit
 */
public record UniquePolicy(
        @Wire.Matches(UniquePolicy.FINGERPRINT) String fingerprint,
        boolean ofQueue,
        int states,
        @Nullable Duration period,
        OnConflict onConflict) {
    /** The form of a fingerprint, as a regular expression. */
    public static final String FINGERPRINT = "[0-9a-f]{64}";

    /** Unfinished ones. */
    public static final int DEFAULT_STATES = mask(JobState.AVAILABLE)
            | mask(JobState.ACTIVE)
            | mask(JobState.SCHEDULED)
            | mask(JobState.RETRYABLE)
            | mask(JobState.PENDING);

    /** Those that a job has after its end. */
    public static final int ENDED_STATES =
            mask(JobState.COMPLETED) | mask(JobState.CANCELLED) | mask(JobState.DISCARDED);

    public static int mask(JobState state) {
        return 1 << state.code();
    }

    /** Whether a job of the same fingerprint is a duplicate for this one. */
    public boolean counts(JobState state, Instant createdAt, Instant now) {
        boolean inTime = period == null || createdAt.plus(period).isAfter(now);
        return (states & mask(state)) != 0 && inTime;
    }

    /** Whether jobs that have ended are duplicates, too. */
    public boolean remembersEnded() {
        return (states & ENDED_STATES) != 0;
    }

    /** In the space of a caller that is confined: keys there are its own, whatever it sends as a fingerprint. */
    public UniquePolicy in(@Nullable String space) {
        return space == null
                ? this
                : new UniquePolicy(
                        UniqueReader.within("space", space, fingerprint), ofQueue, states, period, onConflict);
    }

    /** The partition that knows which jobs have this fingerprint: that of the queue, if the queue is part of it. */
    public PartitionId home(Routing routing, String queue) {
        return ofQueue ? routing.ofQueue(queue) : routing.at(Slot.of("unique:" + fingerprint));
    }
}
