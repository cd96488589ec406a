package io.floodgate.gateway.explain;

import io.floodgate.gateway.system.Readiness;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/**
 * What a gateway knows of the server as a whole.
 *
 * @param silences the silent partitions of {@code readiness}, each with its owner
 * @param circuits those that are not closed, and their states
 * @param levels what is not at its normal level
 * @param partitions that answered, as they describe themselves
 * @param unbounded the largest queues without a bound, with their jobs
 */
record SystemStanding(
        Instant now,
        Readiness.Finding readiness,
        List<Silence> silences,
        SortedMap<String, String> circuits,
        SortedMap<String, String> levels,
        List<Facts> partitions,
        List<Unbounded> unbounded,
        long unboundedQueues) {
    record Unbounded(String queue, long jobs) {}
}
