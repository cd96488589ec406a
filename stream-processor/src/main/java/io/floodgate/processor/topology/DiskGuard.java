package io.floodgate.processor.topology;

import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.PartitionCommand.Configure;
import io.floodgate.topics.command.PartitionSettings;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets partitions take no new jobs before a disk is full, while there is still space to complete those that are there.
 * The partition decides whether it takes a job, but knows no disk: so this guard sets its memory bound to {@code
 * NO_DISK}.
 */
final class DiskGuard {
    private static final Logger LOG = LoggerFactory.getLogger(DiskGuard.class);

    static final Duration PERIOD = Duration.ofMillis(500);

    private static final long MIB = 1024 * 1024;

    private final LongSupplier freeBytes;
    private final long floor;
    private final Logs logs;
    private final OpenPartitions open;
    private final PartitionWriter writer;
    private volatile boolean low;

    /** @param diskBytes how large the disk is */
    DiskGuard(LongSupplier freeBytes, long diskBytes, Logs logs, OpenPartitions open, PartitionWriter writer) {
        this.freeBytes = freeBytes;
        // Cleaning up on a large disk, compactions above all, needs space itself first.
        floor = logs.leastFreeDisk() == 0 ? Math.clamp(diskBytes / 100, 256 * MIB, 1024 * MIB) : logs.leastFreeDisk();
        this.logs = logs;
        this.open = open;
        this.writer = writer;
    }

    boolean isLow() {
        return low;
    }

    /** Returns the settings of a partition that is opened now. */
    PartitionSettings settings() {
        PartitionSettings usual = logs.settings();
        return low ? usual.withMaxMemory(PartitionSettings.NO_DISK) : usual;
    }

    /**
     * Looks at the disk; to be called from time to time. Free space must be a quarter above the floor to end the state,
     * so that it does not go to and fro.
     */
    void look() {
        long free = freeBytes.getAsLong();
        boolean isLow = free < (low ? floor + floor / 4 : floor);
        if (isLow == low) return;
        low = isLow;
        if (isLow)
            LOG.error(
                    "Only {} MiB are left on the disk, less than {} (--min-free-disk): new jobs are rejected with 503 until there is more. Existing jobs are still fetched and completed.",
                    free >> 20,
                    floor >> 20);
        else LOG.warn("There are {} MiB left on the disk again: new jobs are taken.", free >> 20);
        for (PartitionId log : open.all())
            writer.command(log, new Configure(settings()), failure -> {
                if (failure != null) LOG.warn("Partition {} could not be informed ({}).", log, failure.toString());
            });
    }
}
