package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Wire;
import io.floodgate.topics.unique.UniquePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What partitions tell each other of unique jobs; see {@code docs/explanation/unique-jobs.md}. */
public sealed interface UniqueMessage extends Message.OfUnique {
    /**
     * A job that is to come, and wants to be the only one of its key.
     *
     * @param position of the job in its batch
     */
    record KeyClaim(int position, JobId job, String queue, UniquePolicy policy) {}

    /**
     * To the home of keys: may these jobs come? If so, no other job may until the batch is settled.
     *
     * @param waits the batch has no other key: it may wait while another job of the key is being stored
     */
    record ClaimKeys(long batch, PartitionId coordinator, boolean waits, List<KeyClaim> claims)
            implements UniqueMessage {
        public ClaimKeys {
            claims = List.copyOf(claims);
        }
    }

    /**
     * What is decided about a job that has a duplicate, and is not rejected for it.
     *
     * @param ignored the new job is not stored; otherwise the holder is replaced
     * @param log where the holder is
     * @param scheduledAt of the holder, if the new job is to be run then
     */
    record KeyVerdict(
            int position,
            boolean ignored,
            JobId holder,
            PartitionId log,
            JobState state,
            @Nullable Instant scheduledAt) {}

    /** To the coordinator: these jobs may come, but for the exceptions; or the batch is rejected, and no key is claimed. */
    record KeysClaimed(
            long batch,
            PartitionId home,
            List<KeyVerdict> verdicts,
            @Nullable Rejection rejection) implements UniqueMessage {
        public KeysClaimed {
            verdicts = List.copyOf(verdicts);
        }
    }

    /**
     * To the partition of a job: in which state is it?
     *
     * @param claim the claim that needs to know, by its name at its home
     * @param hops how often the question was passed on
     */
    record AskHolder(
            PartitionId home,
            String claim,
            JobId job,
            @Wire.Capped(100) int hops) implements UniqueMessage {}

    /**
     * How a job stands, by the time of its partition.
     *
     * @param hidden who asks may not see it
     */
    record Holder(
            JobId job,
            PartitionId log,
            JobState state,
            Instant createdAt,
            Instant now,
            @Nullable Instant scheduledAt,
            Phase phase,
            boolean hidden) {
        public enum Phase {
            /** Its batch is not settled yet. */
            RESERVED,
            LIVE,
            /** It has ended: there is nothing to cancel. */
            OVER
        }
    }

    /**
     * To the home of a key: how the job stands.
     *
     * @param holder null if there is no such job any more
     */
    record HolderSaid(String claim, JobId job, @Nullable Holder holder) implements UniqueMessage {}

    /**
     * To the partition of a job: cancel it, since another one takes its place.
     *
     * @param states in which it still counts
     */
    record CancelHolder(
            long batch,
            PartitionId coordinator,
            JobId job,
            JobId by,
            int states,
            @Wire.Capped(100) int hops) implements UniqueMessage {}

    /** To the coordinator: the job will not be run any more, or has ended before. */
    record HolderCancelled(long batch, JobId job) implements UniqueMessage {}

    /**
     * What a job that is tied to a key reports to the key's home.
     *
     * @param number of this note among all of the job
     * @param state in which it is; a dead letter counts as discarded
     * @param gone no trace of it is left
     * @param states that the job's own policy names
     * @param space of the caller that has caused it; null for none
     */
    record KeyNote(
            @Wire.Matches(UniquePolicy.FINGERPRINT) String fingerprint,
            JobId job,
            int number,
            JobState state,
            boolean gone,
            Instant createdAt,
            int states,
            @Nullable Duration period,
            @Nullable String space) {}

    /** To the home of keys: what has become of their jobs in this step. */
    record TellKeys(PartitionId log, List<KeyNote> notes) implements UniqueMessage {
        /** What goes into one message. */
        public static final int MOST = 256;

        public TellKeys {
            notes = List.copyOf(notes);
        }
    }
}
