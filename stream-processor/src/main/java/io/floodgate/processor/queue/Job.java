package io.floodgate.processor.queue;

import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.limit.OnLimit;
import io.floodgate.topics.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What changes about a job, and what the rules need to know of it. The payload is stored apart. Only {@link Jobs#apply} changes
 * the state; everybody else reads.
 */
final class Job {
    /** A run that takes longer fails, unless the job says otherwise (OJS timeouts §4). */
    static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);

    /** A lease ends after a silence of this length, unless the job or its fetch says otherwise (OJS worker protocol §5.2). */
    static final Duration DEFAULT_VISIBILITY = Duration.ofMinutes(30);

    final JobId id;
    final String type;
    int sizeBytes;
    final Instant createdAt;
    String queue = "";
    int priority;
    RetryPolicy retry = RetryPolicy.DEFAULT;

    @Nullable
    Duration timeout;

    @Nullable
    Duration visibility;

    @Nullable
    Instant expiresAt;

    @Nullable
    String testDirective;

    boolean discardOnWorkerLost;
    /** The expiry was given relative to the enqueue, so that it is not among the members. */
    boolean showsExpiry;
    /** A directory in another log knows the id. */
    boolean registered;
    /** Part of a batch that is not settled yet: counted, but not to be seen. */
    boolean reserved;
    /** It is to make room for a batch that is not settled yet, and not to be fetched; null for any other job. */
    @Nullable
    Promise promise;

    /** The key under which it is limited; null if it is not. */
    @Nullable
    String limitKey;

    OnLimit onLimit = OnLimit.WAIT;
    /** The date of the permit it runs on, in microseconds; 0 if it does not, or needs none. */
    long permit;
    /** How long the limit of its key, and that of its queue, have held it back until it started, in milliseconds: for the event. */
    long heldBackMs;

    long heldBackByQueueMs;
    /** A limit has put it off since it last ran: next time it waits. */
    boolean putOff;

    JobState state = JobState.AVAILABLE;
    int attempt;
    /** Its rank among the jobs of the queue with the same priority. */
    long rank;

    Instant enqueuedAt;

    @Nullable
    Instant scheduledAt;

    @Nullable
    Instant startedAt;

    @Nullable
    Instant nextAttemptAt;

    @Nullable
    Instant activatedAt;

    @Nullable
    Instant reEnqueuedAt;
    /** Whose it is; null as long as nobody has had to know. */
    @Nullable
    String tenant;

    /** When it reached its terminal state. */
    @Nullable
    Instant endedAt;

    @Nullable
    Duration retryDelay;

    @Nullable
    JobState previousState;

    @Nullable
    Lease lease;

    long leases;
    boolean hasErrors;
    boolean hasResult;
    /** One of its runs has said how far it came. */
    boolean hasProgress;
    /** Discarded by its time to live: it was never run to an end, so it has no {@code completed_at}. */
    boolean expired;
    /** Discarded and to be found among the dead letters. */
    boolean deadLetter;
    /** How it came into a queue of dead letters; null in any other queue. */
    @Nullable
    Letter letter;
    /** How often it has gone from one queue to another. */
    int hops;
    /** It is on its way to this queue, and stays as it is until it is there; null for any other job. */
    @Nullable
    String movingTo;

    /**
     * What a dead letter has with it that was sent to a queue of its own (OJS queue configuration §6.4).
     *
     * @param origin the queue it died in
     * @param reason the type of its last error
     * @param until it is removed by then, should nobody have taken it
     */
    record Letter(String origin, Instant at, String reason, Instant until) {}

    /**
     * What still counts of a job that is to make room, so that there is room whatever becomes of the batch: what it takes
     * more than the batch.
     */
    record Promise(boolean counts, long bytes, boolean countsForTenant) {}

    Job(JobId id, String type, int sizeBytes, Instant createdAt) {
        this.id = id;
        this.type = type;
        this.sizeBytes = sizeBytes;
        this.createdAt = createdAt;
        this.enqueuedAt = createdAt;
    }

    /** It can be fetched. */
    boolean isReady() {
        // mutant: job-ready
        return state == JobState.AVAILABLE && !reserved && promise == null && movingTo == null;
    }

    /** It lies there, for somebody to look at it. */
    boolean isDeadLetter() {
        return movingTo == null && (deadLetter || (letter != null && state == JobState.AVAILABLE));
    }

    /** Since when it is a dead letter, if it is one. */
    @Nullable
    Instant deadSince() {
        if (!isDeadLetter()) return null;
        return letter != null && isLive() ? letter.at : endedAt;
    }

    boolean isLive() {
        return !state.isTerminal();
    }

    /** When the running attempt has taken too long. */
    Instant mustEndAt() {
        Instant start = startedAt == null ? createdAt : startedAt;
        return start.plus(timeout == null ? DEFAULT_TIMEOUT : timeout);
    }

    /** The next moment at which something happens to the job by itself; null when nothing does. */
    @Nullable
    Instant wakesAt() {
        if (reserved || movingTo != null) return null;
        return switch (state) {
            case SCHEDULED -> earlier(scheduledAt, expiry());
            case RETRYABLE -> earlier(nextAttemptAt, expiry());
            case AVAILABLE -> letter == null ? expiresAt : letter.until;
            case PENDING -> expiry();
            case ACTIVE -> lease == null ? null : earlier(lease.until(), mustEndAt());
            case COMPLETED, CANCELLED, DISCARDED -> null;
        };
    }

    /**
     * When it ends if no run has begun by then. As a dead letter it is kept for as long as its queue says, whatever its time
     * to live was; that counts again where it is to be run after all.
     */
    @Nullable
    Instant expiry() {
        return letter == null ? expiresAt : null;
    }

    private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
        if (a == null) return b;
        return b == null || a.isBefore(b) ? a : b;
    }
}
