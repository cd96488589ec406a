package io.floodgate.processor;

import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.Replication;
import io.floodgate.topics.client.Shortcuts;
import io.floodgate.topics.command.PartitionSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * How a processor runs.
 *
 * @param stateDir where the stores and this node's identity are kept; a processor that finds its own again is back at once
 * @param threads stream threads; each takes a share of the partitions
 * @param standbys copies of each partition's state kept by other instances
 * @param replication of the stores' changelogs
 * @param commitInterval for how long events and changed queues wait for the transaction that shows them; replies do not
 *     wait for it
 * @param logs what is decided about the partitions themselves
 * @param shortcuts to requesters and a broker in this process; all others are reached by Kafka
 */
public record ProcessorConfig(
        Cluster cluster,
        Path stateDir,
        int threads,
        int standbys,
        Replication replication,
        Duration commitInterval,
        Logs logs,
        Shortcuts shortcuts) {
    /** Where brokers are in the same process, and a commit costs little. */
    public static final Duration QUICK_COMMITS = Duration.ofMillis(100);

    /** With no other role in this process. */
    public ProcessorConfig(
            Cluster cluster, Path stateDir, int threads, int standbys, Replication replication, Logs logs) {
        this(cluster, stateDir, threads, standbys, replication, QUICK_COMMITS, logs, Shortcuts.withoutBroker());
    }

    /**
     * Settings of every partition that this processor opens, and what is kept of it.
     *
     * @param settings they become part of the partition's state; without a bound on memory, the partitions share half of the heap
     * @param purgeMargin how many processed commands are kept for inspection
     * @param refillsChangelogs whether changelogs that were deleted and made again are written back from the stores
     * @param skipped records that are rejected unread, as LOG:OFFSET
     * @param leastFreeDisk the free bytes on the disk of the stores below which no new jobs are taken; 0 for what fits
     *     its size
     * @param cloudEvents whether records of events have the headers of CloudEvents
     * @param cutOff what bounds the steps of the partitions
     */
    public record Logs(
            PartitionSettings settings,
            long purgeMargin,
            long leastFreeDisk,
            boolean refillsChangelogs,
            Set<String> skipped,
            boolean cloudEvents,
            CutOff cutOff) {
        public static final long DEFAULT_PURGE_MARGIN = 10_000;

        public static final Logs DEFAULT = new Logs(PartitionSettings.INITIAL, DEFAULT_PURGE_MARGIN, 0);

        public Logs {
            skipped = Set.copyOf(skipped);
        }

        public Logs(PartitionSettings settings, long purgeMargin, long leastFreeDisk) {
            this(settings, purgeMargin, leastFreeDisk, false, Set.of(), true, CutOff.DEFAULT);
        }

        public Logs with(CutOff other) {
            return new Logs(settings, purgeMargin, leastFreeDisk, refillsChangelogs, skipped, cloudEvents, other);
        }

        /** With a bound on the memory of each partition: together they take at most half of the heap. */
        public Logs sharing(long heapBytes, int logs) {
            if (settings.maxMemoryBytes() != 0) return this;
            return new Logs(
                    settings.withMaxMemory(heapBytes / 2 / logs),
                    purgeMargin,
                    leastFreeDisk,
                    refillsChangelogs,
                    skipped,
                    cloudEvents,
                    cutOff);
        }
    }
}
