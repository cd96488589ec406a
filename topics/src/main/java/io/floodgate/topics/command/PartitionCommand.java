package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.Wire;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands to a partition as a whole. */
public sealed interface PartitionCommand extends Command {
    /** Time passes: the timers that are due fire, as they do before every command. */
    record Tick() implements PartitionCommand {}

    /**
     * Prolongs the leases that the worker holds on these jobs.
     *
     * @param complete the list names every job that the worker believes it has in this partition
     */
    record Extend(
            @Wire.Name("worker_id") @Nullable String worker,

            @Wire.Name("job_ids") @Wire.Most(Limits.JOBS_OF_A_HEARTBEAT)
            List<JobId> jobs,

            @Wire.Name("visibility_timeout_ms") @Nullable Duration visibility,
            boolean complete)
            implements PartitionCommand {
        public Extend {
            jobs = List.copyOf(jobs);
        }

        public Extend(@Nullable String worker, List<JobId> jobs, @Nullable Duration visibility) {
            this(worker, jobs, visibility, false);
        }
    }

    /**
     * Ends these waiters of the requester, all of them if the list is empty. Jobs that were handed out as the answer to
     * one of them, and of which nothing has been heard since, go back to their old rank.
     */
    record Withdraw(
            String requester, @Wire.Most(Limits.WITHDRAWN) List<Long> correlations) implements PartitionCommand {
        public Withdraw {
            correlations = List.copyOf(correlations);
        }
    }

    /**
     * From here on the partition is executed by this version of the rules.
     *
     * @param topicId of the partition's topic, which a processor knows that upgrades it; empty if nothing is said
     */
    record Upgrade(@Wire.Least(1) int rules, @Wire.OrEmpty String topicId) implements PartitionCommand {
        public Upgrade(int rules) {
            this(rules, "");
        }
    }

    /** From here on these settings apply to the partition. */
    record Configure(@Wire.Inline PartitionSettings settings) implements PartitionCommand {}

    /** Where the partition stands, what it holds, and what is wrong with it. */
    record Inspect() implements PartitionCommand {}

    /** An operator has seen the alarm of this code: it is cleared. */
    record Acknowledge(String code) implements PartitionCommand {}

    /** A page of what failing rules were about, oldest first; {@code after} is the cursor of the page before. */
    record ListQuarantined(
            @Wire.Least(1) @Wire.Capped(ListQuarantined.MAX_LIMIT)
            int limit,

            @Nullable String after) implements PartitionCommand {
        public static final int MAX_LIMIT = 200;
    }

    /** Tries again to execute what was quarantined. */
    record RetryQuarantined(long id) implements PartitionCommand {}

    /** Gives up what was quarantined. */
    record DiscardQuarantined(long id) implements PartitionCommand {}

    /** A page of the partition's dead letters, newest first; {@code after} is the cursor of the page before. */
    record ListDead(
            @Nullable String queue,
            @Wire.Least(1) @Wire.Capped(ListDead.MAX_LIMIT) int limit,
            @Nullable String after) implements PartitionCommand {
        public static final int MAX_LIMIT = 200;
    }

    /** Forgets everything. Offered in test mode only. */
    record Reset(@Wire.OrEmpty String topicId) implements PartitionCommand {
        public Reset() {
            this("");
        }
    }
}
