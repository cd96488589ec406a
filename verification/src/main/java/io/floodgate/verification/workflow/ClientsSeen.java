package io.floodgate.verification.workflow;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What clients know of what they asked for.
 *
 * @param stopped when a cancel was answered after which nothing of the workflow starts, by workflow
 * @param acked jobs whose completion was answered
 */
record ClientsSeen(List<Retry> retries, Map<String, Instant> stopped, Set<String> acked) {
    static final ClientsSeen NOTHING = new ClientsSeen(List.of(), Map.of(), Set.of());

    ClientsSeen {
        retries = List.copyOf(retries);
        stopped = Map.copyOf(stopped);
        acked = Set.copyOf(acked);
    }
}
