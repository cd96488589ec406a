package io.floodgate.processor.queue.state;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Rejection;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of a job. {@code Jobs.apply} is the one place that applies it: fields, counts, orders, timers and events
 * follow.
 */
public sealed interface JobChange {
    /**
     * The job is in its queue, and visible.
     *
     * @param waitingSince when its producer began to wait for capacity; null if it did not have to
     */
    record Admitted(@Nullable Instant waitingSince) implements JobChange {}

    /** @param permit the date of the permit it runs on, in microseconds; 0 if it needs none */
    record Started(Lease lease, long permit) implements JobChange {}

    /** The worker is alive and has the job. */
    record LeaseExtended(Instant until) implements JobChange {}

    /**
     * The worker reports progress, and so that it is alive.
     *
     * @param isTold to those who follow what happens: not more often than they care for
     */
    record Progressed(RunProgress progress, Instant until, boolean isTold) implements JobChange {}

    /** The lease ended while the partition was out of reach. */
    record LeaseGraceGranted(Instant until) implements JobChange {}

    /** The worker is alive, and does not seem to have the job. */
    record Missed() implements JobChange {}

    record Completed(byte @Nullable [] result) implements JobChange {}

    /** A run failed, and there will be another. */
    record Retried(ErrorReport error, Duration delay) implements JobChange {}

    /** A run failed, and it was the last. */
    record Discarded(ErrorReport error, boolean deadLetter) implements JobChange {}

    /** The outcome of the run is unknown: another worker may try at once. */
    record LeaseLost(ErrorReport error) implements JobChange {}

    /** The job was not run: it takes its old rank, and the attempt does not count. */
    record GivenBack(String reason) implements JobChange {}

    /** The job was not run, and is not to be handed out for a while: the attempt does not count. */
    record Postponed(String reason, Duration delay) implements JobChange {}

    /** The time to live ended before a run began. */
    record Expired() implements JobChange {}

    /**
     * The job is not to be run any more, though it has not failed: a newer one replaces it in a full queue, or its
     * queue is deleted.
     */
    record Dismissed(ErrorReport error) implements JobChange {}

    /** The job cannot start because of a limit, and is not to wait. */
    record LimitDropped(ErrorReport error) implements JobChange {}

    /** The job cannot start because of a limit, and its turn is expected at this time. */
    record PutOff(Instant until) implements JobChange {}

    /** The job is a victim of a batch that is not settled yet. */
    record Promised(JobRecord.Promise promise) implements JobChange {}

    /** The batch was rejected: it stays, with its rank. */
    record GraceGranted() implements JobChange {}

    record Cancelled() implements JobChange {}

    /** Another job of its key replaces the job. */
    record Superseded(JobId by) implements JobChange {}

    record Activated() implements JobChange {}

    /** The time it was scheduled for has come, or that of its next attempt. */
    record BecameDue() implements JobChange {}

    /**
     * Others of its order key go first until it can be fetched again.
     *
     * @param reason why
     */
    record Passed(String reason) implements JobChange {}

    /** An operator retries the dead letter, as if it were new, but not after this time. */
    record Retaken(@Nullable Instant expiresAt) implements JobChange {}

    /** The job is to go to another queue, and nothing happens to it until that has answered. */
    record Leaving(String queue) implements JobChange {}

    /** The other queue does not take it, for a reason. */
    record Stayed(String queue, @Nullable Rejection why) implements JobChange {}

    /** The job has come into a queue of dead letters. */
    record DeadLettered(JobRecord.DeadLetterInfo info) implements JobChange {}

    /** The job was not taken from its queue of dead letters for as long as it is kept there. */
    record Decayed() implements JobChange {}
    /** The job was given another priority. */
    record Prioritized(int priority) implements JobChange {}

    /** The job has come from another queue, which is deleted. */
    record Arrived(String from) implements JobChange {}

    /** The job is removed without a trace. */
    sealed interface Removed extends JobChange {
        /**
         * Returns whether no note is sent: the job goes on elsewhere, or the keepers of its id and its key learn of its
         * end in another way.
         */
        default boolean isSilent() {
            return this instanceof MovedAway || this instanceof Dropped || this instanceof Erased;
        }
    }

    /** The job had ended, and was deleted on request. */
    record Deleted() implements Removed {}

    /** The job goes on in another queue. */
    record MovedAway() implements Removed {}

    /** The retention of the job is over. */
    record Outlived() implements Removed {}

    /** The batch of the job was rejected. */
    record Dropped() implements Removed {}

    /** Rules fail on it, and an operator has given it up. */
    record GivenUp() implements Removed {}

    /** The whole log is cleared. */
    record Erased() implements Removed {}
}
