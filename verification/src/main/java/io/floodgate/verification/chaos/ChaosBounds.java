package io.floodgate.verification.chaos;

import java.time.Duration;

/**
 * How narrow the queues of a load are. Half of them are bounded by their jobs, the others by the bytes of these.
 *
 * @param producers of them all, each of which waits for its answer before it goes on
 * @param changes how long it takes until another queue gets another bound and the next strategy
 */
public record ChaosBounds(long maxDepth, long maxBytes, int producers, Duration changes) {
    public static ChaosBounds thousandJobsOrOneMegabyte(int producers) {
        return new ChaosBounds(1_000, 1_000_000, producers, Duration.ofSeconds(2));
    }
}
