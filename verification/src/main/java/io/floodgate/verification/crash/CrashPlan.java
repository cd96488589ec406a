package io.floodgate.verification.crash;

import io.floodgate.verification.process.Role;
import java.time.Duration;
import java.util.List;

/**
 * What a run is like.
 *
 * @param clocks how often a clock is set
 * @param victims roles that are struck; {@link Role#NODE} alone, or any of the others
 * @param pause between service being back and the next blow: half of it at least, one and a half of it at most
 * @param brokers one that is all there is, or several with replication 3
 * @param lease how long workers may be silent about a job
 * @param enqueuesPerSecond by all producers together
 * @param load what the jobs and queues are like
 */
record CrashPlan(
        int kills,
        int clocks,
        List<Role> victims,
        Duration pause,
        Duration lease,
        long seed,
        int partitions,
        int brokers,
        int processors,
        int gateways,
        int enqueuesPerSecond,
        CrashLoad load) {
    CrashPlan {
        victims = List.copyOf(victims);
    }

    /** Worth its time in a run of some length: all is stopped in order at the end, and looked at after another start. */
    boolean stopsInBetween() {
        return kills >= 5;
    }

    /** Until there is something to move, at the longest. */
    Duration timeToFill() {
        return Duration.ofMinutes(2)
                .plusMillis(load.moves().map(each -> 5L * each.jobs()).orElse(0L));
    }

    boolean inOneProcess() {
        return victims.contains(Role.NODE);
    }
}
