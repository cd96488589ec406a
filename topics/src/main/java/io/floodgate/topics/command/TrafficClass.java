package io.floodgate.topics.command;

/** Commands that a client bounds together, so that no class takes the capacity of another. */
public enum TrafficClass {
    /** Reports of finished work, commands that prolong or give back leases, and the end of reservations. */
    COMPLETIONS,
    /** Commands whose callers wait until they have been executed. */
    WORK,
    /** Fetches and watches that are answered at once. */
    FETCHES,
    /** Searches among all stored jobs: each costs its partition as much as hundreds of other commands. */
    SEARCHES,
    /** Queries whose answers may be large. */
    READS,
    /** Commands that wait in the partition: for jobs, counted by their queues, or for capacity in a queue. */
    WAITS,
    /** Health checks of a partition: answered or not, whatever the load. */
    PROBES;

    /** Never rejected in overload, and never counted against the share of a caller. */
    public boolean isEssential() {
        return switch (this) {
            case COMPLETIONS, PROBES -> true;
            case WORK, FETCHES, SEARCHES, READS, WAITS -> false;
        };
    }

    public String wire() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
