package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import java.time.Duration;

/**
 * What an operator decides about a partition. The settings are state, and change by a record, so that a replay applies the same
 * ones.
 *
 * @param completed how long completed jobs are kept, and so on
 * @param unusedQueue the time after which a queue without jobs and waiters is forgotten; never if zero
 * @param maxMemoryBytes what the partition's live state may take in memory; no bound if zero
 * @param strictQueues only operators make queues: a job for one that is not there is rejected
 */
public record PartitionSettings(
        Duration completed,
        Duration discarded,
        Duration cancelled,
        Duration unusedQueue,
        long maxMemoryBytes,
        boolean strictQueues) {
    /** For {@link #maxMemoryBytes}: the disk is nearly full. Every partition that has anything at all in it takes more than that. */
    public static final long NO_DISK = 1;

    /** What a partition begins with, until an operator changes it. */
    public static final PartitionSettings INITIAL =
            new PartitionSettings(Duration.ofDays(7), Duration.ofDays(30), Duration.ofDays(7), Duration.ZERO, 0);

    /** Any job makes its queue. */
    public PartitionSettings(
            Duration completed, Duration discarded, Duration cancelled, Duration unusedQueue, long maxMemoryBytes) {
        this(completed, discarded, cancelled, unusedQueue, maxMemoryBytes, false);
    }

    public PartitionSettings withMaxMemory(long bytes) {
        return new PartitionSettings(completed, discarded, cancelled, unusedQueue, bytes, strictQueues);
    }

    public PartitionSettings withStrictQueues() {
        return new PartitionSettings(completed, discarded, cancelled, unusedQueue, maxMemoryBytes, true);
    }

    static PartitionSettings read(JsonFields in) throws UnreadableCommand, io.floodgate.topics.json.MalformedJson {
        JsonFields retention = in.fields("retention_ms");
        return new PartitionSettings(
                retention.millis("completed"),
                retention.millis("discarded"),
                retention.millis("cancelled"),
                in.millis("unused_queue_ms"),
                in.natural("max_memory_bytes"),
                in.flag("strict_queues"));
    }

    void write(JsonOut out) {
        out.beginObject("retention_ms")
                .field("completed", completed.toMillis())
                .field("discarded", discarded.toMillis())
                .field("cancelled", cancelled.toMillis())
                .endObject()
                .field("unused_queue_ms", unusedQueue.toMillis())
                .field("max_memory_bytes", maxMemoryBytes);
        if (strictQueues) out.field("strict_queues", true);
    }
}
