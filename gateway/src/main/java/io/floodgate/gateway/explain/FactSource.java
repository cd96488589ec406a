package io.floodgate.gateway.explain;

import io.floodgate.gateway.system.PartitionOwners;
import io.floodgate.topics.client.CommandClient;
import java.time.Duration;

/**
 * Where facts come from.
 *
 * @param patience with a partition; one that takes longer is as good as silent to an operator
 * @param owners whom to look after if it is silent
 */
public record FactSource(CommandClient client, Duration patience, PartitionOwners owners) {
    private static final Duration MAX_PATIENCE = Duration.ofMillis(1_500);

    public FactSource {
        if (patience.compareTo(MAX_PATIENCE) > 0) patience = MAX_PATIENCE;
    }
}
