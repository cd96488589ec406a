package io.floodgate.topics.client;

import io.floodgate.topics.Routing;
import java.util.Map;

/**
 * How to reach the cluster.
 *
 * @param kafka {@code bootstrap.servers} and anything else Kafka clients understand (TLS, SASL …)
 * @param shortcuts to processors and a broker in this process; all others are reached by Kafka
 */
public record ClientConfig(Map<String, Object> kafka, Routing routing, ClientLimits limits, Shortcuts shortcuts) {
    public static final int DEFAULT_MAX_IN_FLIGHT = ClientLimits.DEFAULT.inFlight();

    public ClientConfig {
        kafka = Map.copyOf(kafka);
    }

    /** With nobody else in this process. */
    public ClientConfig(Map<String, Object> kafka, Routing routing, ClientLimits limits) {
        this(kafka, routing, limits, Shortcuts.withoutBroker());
    }

    /** With the default limits, but for {@link ClientLimits#inFlight}. */
    public ClientConfig(Map<String, Object> kafka, Routing routing, int maxInFlight) {
        this(kafka, routing, ClientLimits.DEFAULT.withInFlight(maxInFlight));
    }

    public ClientConfig with(Shortcuts ways) {
        return new ClientConfig(kafka, routing, limits, ways);
    }
}
