package io.floodgate.processor.simulation;

import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import java.util.List;

/** One partition of a cluster as it was written, and what each of its records caused then. */
record Recording(Routing routing, PartitionId log, List<PartitionRecord> records, List<String> effects) {

    /** All partitions of a simulation: with duplicates, gaps, ticks, poison, and a broker's clock that steps back. */
    static List<Recording> of(long seed, int commands) {
        return of(seed, commands, true);
    }

    /** The same without a release to come. */
    static List<Recording> ofThisRelease(long seed, int commands) {
        return of(seed, commands, false);
    }

    private static List<Recording> of(long seed, int commands, boolean upgrades) {
        Cluster cluster = seed % 3 == 2
                ? LimitSimulation.recorded(seed, commands)
                : Simulation.recorded(seed, commands, upgrades);
        return cluster.logs().stream()
                .map(log -> new Recording(
                        cluster.routing, log, List.copyOf(cluster.broker.log(log)), cluster.history.prints(log)))
                .toList();
    }
}
