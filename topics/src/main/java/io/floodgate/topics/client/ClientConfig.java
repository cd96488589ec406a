package io.floodgate.topics.client;

import io.floodgate.topics.Routing;
import java.util.Map;

/**
 * How to reach the cluster.
 *
 * @param kafka {@code bootstrap.servers} and anything else Kafka clients understand (TLS, SASL …)
 * @param direct replies of processors in this process; those of all others come by Kafka
 */
public record ClientConfig(Map<String, Object> kafka, Routing routing, ClientLimits limits, DirectReplies direct) {
    public static final int DEFAULT_MAX_IN_FLIGHT = ClientLimits.DEFAULT.inFlight();

    public ClientConfig {
        kafka = Map.copyOf(kafka);
    }

    /** Without a processor in this process. */
    public ClientConfig(Map<String, Object> kafka, Routing routing, ClientLimits limits) {
        this(kafka, routing, limits, new DirectReplies());
    }

    /** With the default limits, but for {@link ClientLimits#inFlight}. */
    public ClientConfig(Map<String, Object> kafka, Routing routing, int maxInFlight) {
        this(kafka, routing, ClientLimits.DEFAULT.withInFlight(maxInFlight));
    }

    public ClientConfig with(DirectReplies replies) {
        return new ClientConfig(kafka, routing, limits, replies);
    }
}
