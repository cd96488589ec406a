package io.floodgate.processor.queue.state;

import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.limit.OnLimit;
import io.floodgate.topics.retry.RetryPolicy;
import io.floodgate.topics.version.JobVersion;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a job, and the members that rules need. The payload is stored apart. Only {@code Jobs.apply} changes the
 * state; all others read.
 */
public final class JobRecord {
    /** A run that takes longer fails, unless the job says otherwise (OJS timeouts §4). */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(30);

    /** A lease ends after a silence of this length, unless the job or its fetch says otherwise (OJS worker protocol §5.2). */
    public static final Duration DEFAULT_VISIBILITY = Duration.ofMinutes(30);

    public final JobId id;
    public final String type;
    /** Version for fetches to compare; null if the job has none. The payload has it as it was sent. */
    @Nullable
    public JobVersion version;

    public int sizeBytes;
    public final Instant createdAt;
    public String queue = "";
    public int priority;
    public RetryPolicy retry = RetryPolicy.DEFAULT;

    @Nullable
    public Duration timeout;

    @Nullable
    public Duration visibility;

    @Nullable
    public Instant expiresAt;

    @Nullable
    public String testDirective;

    public boolean discardOnWorkerLost;
    /** The expiry was given relative to the enqueue, so that it is not among the members. */
    public boolean showsExpiry;
    /** A directory in another log knows the id. */
    public boolean registered;
    /** Part of a batch that is not settled yet: counted, but not to be seen. */
    public boolean reserved;
    /** The promise of a victim of a batch that is not settled yet, which cannot be fetched; null for any other job. */
    @Nullable
    public Promise promise;

    /** The key under which it is limited; null if it is not. */
    @Nullable
    public String limitKey;

    public OnLimit onLimit = OnLimit.WAIT;
    /** The date of the permit it runs on, in microseconds; 0 if it does not, or needs none. */
    public long permit;
    /**
     * Time for which the limits of its key and its queue have held the job back until it started, in milliseconds: for
     * the event.
     */
    public long heldBackMs;

    public long heldBackByQueueMs;
    /** A limit has put it off since it last ran: next time it waits. */
    public boolean putOff;

    public JobState state = JobState.AVAILABLE;
    public int attempt;
    /** Rank among the jobs of the queue with the same priority. */
    public long rank;

    public Instant enqueuedAt;

    @Nullable
    public Instant scheduledAt;

    @Nullable
    public Instant startedAt;

    @Nullable
    public Instant nextAttemptAt;

    @Nullable
    public Instant activatedAt;

    @Nullable
    public Instant reEnqueuedAt;
    /** The tenant that owns it; null until it is first needed. */
    @Nullable
    public String tenant;

    /** Time at which the job reached its terminal state. */
    @Nullable
    public Instant endedAt;

    @Nullable
    public Duration retryDelay;

    @Nullable
    public JobState previousState;

    @Nullable
    public Lease lease;

    public long leases;
    public boolean hasErrors;
    public boolean hasResult;
    /** One of its runs has said how far it came. */
    public boolean hasProgress;
    /** Discarded by its time to live: it was never run to an end, so it has no {@code completed_at}. */
    public boolean expired;
    /** Discarded and to be found among the dead letters. */
    public boolean deadLetter;
    /** Origin of a job in a queue of dead letters; null in any other queue. */
    @Nullable
    public DeadLetterInfo deadLetterInfo;
    /** Number of moves from one queue to another. */
    public int hops;
    /** The queue to which the job is on its way, while it stays as it is; null for any other job. */
    @Nullable
    public String movingTo;

    /** The tie to the home of its key, which gets a message when the job ends; null for any other job. */
    @Nullable
    public KeyTie tie;

    /**
     * The tie to the owner of a job that the system has made, which gets a message when it ends; null for any other
     * job.
     */
    @Nullable
    public OwnerTie ownerTie;

    /** Its place among the jobs with its order key; null if it has none. */
    @Nullable
    public OrderPlace order;

    /**
     * The origin of a dead letter that was sent to a queue of its own (OJS queue configuration §6.4).
     *
     * @param origin the queue it died in
     * @param reason the type of its last error
     * @param until it is removed by then, should it not have been taken
     */
    public record DeadLetterInfo(String origin, Instant at, String reason, Instant until) {}

    /**
     * The part of a victim that still counts, so that there is capacity whatever the outcome of the batch: what it
     * takes more than the batch.
     */
    public record Promise(boolean counts, long bytes, boolean countsForTenant) {}

    public JobRecord(JobId id, String type, int sizeBytes, Instant createdAt) {
        this.id = id;
        this.type = type;
        this.sizeBytes = sizeBytes;
        this.createdAt = createdAt;
        this.enqueuedAt = createdAt;
    }

    /** Returns whether the job can be fetched. */
    public boolean isReady() {
        // mutant: job-ready
        return state == JobState.AVAILABLE && !reserved && promise == null && movingTo == null;
    }

    /** Returns whether the job is kept for an operator to look at. */
    public boolean isDeadLetter() {
        return movingTo == null && (deadLetter || (deadLetterInfo != null && state == JobState.AVAILABLE));
    }

    /** Returns since when the job is a dead letter, if it is one. */
    @Nullable
    public Instant deadSince() {
        if (!isDeadLetter()) return null;
        return deadLetterInfo != null && isLive() ? deadLetterInfo.at : endedAt;
    }

    public boolean isLive() {
        return !state.isTerminal();
    }

    /** Returns when the running attempt has taken too long. */
    public Instant mustEndAt() {
        Instant start = startedAt == null ? createdAt : startedAt;
        return start.plus(timeout == null ? DEFAULT_TIMEOUT : timeout);
    }

    /** The next moment at which something happens to the job by itself; null when nothing does. */
    @Nullable
    public Instant wakesAt() {
        if (reserved || movingTo != null) return null;
        return switch (state) {
            case SCHEDULED -> earlier(scheduledAt, expiry());
            case RETRYABLE -> earlier(earlier(nextAttemptAt, holdsUntil()), expiry());
            case AVAILABLE -> deadLetterInfo == null ? expiresAt : deadLetterInfo.until;
            case PENDING -> expiry();
            case ACTIVE -> lease == null ? null : earlier(lease.until(), mustEndAt());
            case COMPLETED, CANCELLED, DISCARDED -> null;
        };
    }

    /**
     * Returns when the job ends if no run has begun by then. A dead letter is kept for as long as its queue says,
     * whatever its time to live was; that counts again where it is to be run after all.
     */
    @Nullable
    public Instant expiry() {
        return deadLetterInfo == null ? expiresAt : null;
    }

    /** Returns when a job that has failed lets the next ones of its key go first; null if nothing says so. */
    @Nullable
    public Instant holdsUntil() {
        return state == JobState.RETRYABLE && order != null && !order.isPassed() ? order.holdsUntil() : null;
    }

    /** Returns whether the job keeps back others of its key that came later, or would if it were the first. */
    boolean isInLine() {
        return isLive() && !reserved && (state == JobState.AVAILABLE || state == JobState.ACTIVE || !passed());
    }

    private boolean passed() {
        return order != null && order.isPassed();
    }

    public static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
        if (a == null) return b;
        return b == null || a.isBefore(b) ? a : b;
    }
}
