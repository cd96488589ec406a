package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Wire;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What partitions tell each other when all jobs of a queue that is deleted go to another one. */
public interface MoveMessage extends Message {
    /** How many jobs of a queue are of which type, and of which tenant. */
    record JobCounts(SortedMap<String, Long> types, SortedMap<String, Long> tenants) {
        public JobCounts {
            types = Collections.unmodifiableSortedMap(new TreeMap<>(types));
            tenants = Collections.unmodifiableSortedMap(new TreeMap<>(tenants));
        }
    }

    /**
     * To the partition of a queue that gets all jobs of another one: reserve capacity for them.
     *
     * @param source the log that sends them
     * @param move its number for this move
     * @param from the queue that is deleted
     * @param counts null unless the target has asked for them with {@link CountJobs}
     */
    record ExpectJobs(
            PartitionId source,
            long move,
            String from,
            String queue,
            @Wire.Least(0) long jobs,
            @Wire.Least(0) long bytes,
            @Nullable JobCounts counts)
            implements MoveMessage {}

    /** To the partition of the queue that is deleted: the target does not take every job, so these have to be counted. */
    record CountJobs(long move, String from) implements MoveMessage {}

    /** To the log of the queue that is deleted: there is room for its jobs, and it is kept; or there is not. */
    record Expected(
            PartitionId target,
            long move,
            String from,
            @Nullable Rejection rejection) implements MoveMessage {}

    /**
     * A job on its way.
     *
     * @param state as its log has stored it
     * @param grant the epoch of the tenant's bound whose grant comes with the job; null if no bound was open there
     */
    record MovedJob(
            JobId job,
            @Wire.Binary byte[] state,
            byte[] payload,
            @Wire.Inline Past past,
            @Nullable Long grant) {}

    /** To the log of a queue that expects them: these are its jobs now, in this order. */
    record MoveJobs(PartitionId source, long move, String from, String queue, List<MovedJob> jobs)
            implements MoveMessage {
        public MoveJobs {
            jobs = List.copyOf(jobs);
        }
    }

    /** To the log of the queue that has got them: no more come, and what room is left is free. */
    record EndMove(PartitionId source, long move) implements MoveMessage {}
}
