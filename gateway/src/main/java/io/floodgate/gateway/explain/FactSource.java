package io.floodgate.gateway.explain;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.system.PartitionOwners;
import java.time.Duration;

/**
 * Where facts come from.
 *
 * @param partitions one that takes longer than a moment is as good as silent to an operator
 * @param owners whom to look after if it is silent
 */
public record FactSource(Partitions partitions, PartitionOwners owners) {
    private static final Duration MAX_PATIENCE = Duration.ofMillis(1_500);

    public FactSource {
        if (partitions.patience().compareTo(MAX_PATIENCE) > 0)
            partitions = new Partitions(partitions.client(), MAX_PATIENCE);
    }
}
