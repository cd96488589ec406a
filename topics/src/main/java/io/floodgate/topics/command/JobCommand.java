package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.Wire;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Commands that name a job. They go to the partition that the id's slot names, which may pass them on to the job's queue. */
public sealed interface JobCommand extends Command {
    JobId job();

    /** A worker that reports on a run may name the run; the name must match (OJS worker protocol §5.6). */
    record Claimant(
            @Wire.Name("worker_id") @Nullable String worker,
            @Nullable Long lease,
            @Nullable Long attempt) {
        public static final Claimant UNNAMED = new Claimant(null, null);

        public Claimant(@Nullable String worker, @Nullable Long lease) {
            this(worker, lease, null);
        }
    }

    /** The handler succeeded. {@code result} is JSON. */
    record Ack(
            JobId job,
            @Wire.Inline Claimant claimant,
            @Wire.AnyJson @Wire.ForClients byte @Nullable [] result) implements JobCommand {
        /** A larger one would not fit into a reply together with its job. */
        public static final int MAX_RESULT_BYTES = 1024 * 1024;
    }

    /**
     * The handler failed, or, with {@code requeue}, the job is given back untried.
     *
     * @param delay how long a job that is given back is not to be handed out; zero for at once
     */
    record Nack(
            JobId job,
            @Wire.Inline Claimant claimant,
            ErrorReport error,
            boolean requeue,

            @Wire.OrEmpty @Wire.Most(Limits.LONGEST_DELAY_MS)
            Duration delay)
            implements JobCommand {
        public Nack(JobId job, Claimant claimant, ErrorReport error, boolean requeue) {
            this(job, claimant, error, requeue, Duration.ZERO);
        }

        /** Gives the job back untried, not to be handed out before this time is over. */
        public static Nack giveBack(JobId job, Claimant claimant, ErrorReport why, Duration delay) {
            return new Nack(job, claimant, why, true, delay);
        }
    }

    /** The handler says how far it has come; its lease is prolonged as by a heartbeat (OJS progress §6). */
    record Progress(
            JobId job,
            @Wire.Inline Claimant claimant,
            @Wire.Inline ProgressReport report) implements JobCommand {}

    /** The next run begins from the start (OJS durable execution). */
    record DropCheckpoint(JobId job, @Wire.Inline Claimant claimant) implements JobCommand {}

    record Cancel(JobId job) implements JobCommand {}

    record Activate(JobId job) implements JobCommand {}

    /** Lets others of the order key of a job go first, which waits for a time or for its activation. */
    record SkipJob(JobId job) implements JobCommand {}

    record GetJob(JobId job) implements JobCommand {}

    /**
     * Takes a discarded job back into its queue, or into another one (OJS dead letter §6).
     *
     * @param changes what is to be different
     */
    record RetryDead(
            JobId job, @Wire.Name("override") @Wire.OrEmpty Overrides changes) implements JobCommand {
        public RetryDead(JobId job) {
            this(job, Overrides.NONE);
        }
    }

    record DeleteDead(JobId job) implements JobCommand {}

    /** Has a job run that was discarded or cancelled, or that waits for its next attempt, as if it were new (OJS admin §7.4). */
    record RetryJob(JobId job) implements JobCommand {}

    /** Removes every trace of a job that has ended (OJS bulk operations §8). */
    record DeleteJob(JobId job) implements JobCommand {}

    /** Gives a job that has not ended another priority (OJS priority §10.2). */
    record SetPriority(
            JobId job,

            @Wire.Least(-Limits.MOST_PRIORITY) @Wire.Most(Limits.MOST_PRIORITY)
            int priority) implements JobCommand {}
}
