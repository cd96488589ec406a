package io.floodgate.topics.client;

import io.floodgate.topics.Routing;
import java.util.Map;

/**
 * Settings of a client to reach the cluster.
 *
 * @param shortcuts to processors and a broker in this process; all others are reached by Kafka
 */
public record ClientConfig(Cluster cluster, Routing routing, ClientLimits limits, Shortcuts shortcuts) {
    public static final int DEFAULT_MAX_IN_FLIGHT = ClientLimits.DEFAULT.inFlight();

    /** Makes settings without a broker in this process. */
    public ClientConfig(Cluster cluster, Routing routing, ClientLimits limits) {
        this(cluster, routing, limits, Shortcuts.withoutBroker());
    }

    /** Makes settings with the default limits, but for {@link ClientLimits#inFlight}. */
    public ClientConfig(Cluster cluster, Routing routing, int maxInFlight) {
        this(cluster, routing, ClientLimits.DEFAULT.withInFlight(maxInFlight));
    }

    /** Makes settings without a namespace. */
    public ClientConfig(Map<String, Object> kafka, Routing routing, int maxInFlight) {
        this(Cluster.at(kafka), routing, maxInFlight);
    }

    /** The same, for another role in this process. */
    public ClientConfig as(String role) {
        return new ClientConfig(cluster.as(role), routing, limits, shortcuts);
    }

    public ClientConfig with(Shortcuts ways) {
        return new ClientConfig(cluster, routing, limits, ways);
    }
}
