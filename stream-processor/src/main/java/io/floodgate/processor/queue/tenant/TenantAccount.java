package io.floodgate.processor.queue.tenant;

import io.floodgate.topics.command.GrantKey;
import java.time.Instant;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What this partition holds of a bound of one tenant, as it is stored. */
final class TenantAccount {
    final GrantKey key;
    /** Distinguishes the bound from earlier ones; 0 if only jobs with grants of a bound have come yet. */
    long epoch;

    long version;
    long maximum;
    /** True once the jobs that were there are counted: from then on none comes in without a grant. */
    boolean open;

    /** Jobs that were there when it was opened, or came later from where it was not open. */
    long adopted;
    /** All grants that the home ever gave, and that went back there. */
    long received;

    long returned;
    /** Grants that came with jobs of other partitions, less those that left with jobs. */
    long carried;
    /** Grants that came with jobs before the bound was known here, and its epoch. */
    long early;

    long earlyEpoch;
    /** The number of the last message of the home, and what it said. */
    long number;

    Instant saidAt = Instant.EPOCH;
    boolean full;
    long current;
    boolean urgent;
    long recall;
    TreeMap<String, Long> queues = new TreeMap<>();

    /** The last recall that was answered. */
    long answered;
    /** Grants that are wanted, as the home knows. */
    long wanted;

    /** Free grants that are kept for a moment, also where free ones are returned at once. */
    long kept;

    /** True if a job has come since the time of free grants began. */
    boolean active;

    /** Time at which free grants go back if no job has come. */
    @Nullable
    Instant lookAt;

    TenantAccount(GrantKey key) {
        this.key = key;
    }

    long holds() {
        return adopted + received + carried - returned;
    }
}
