package io.floodgate.topics.client;

import io.floodgate.topics.Routing;
import java.util.Map;

/**
 * How to reach the cluster.
 *
 * @param kafka {@code bootstrap.servers} and anything else Kafka clients understand (TLS, SASL …)
 * @param maxInFlight commands that may wait for a reply at the same time; further ones are refused at once. Reports of
 *     finished work and heartbeats are not counted: they are never shed.
 */
public record ClientConfig(Map<String, Object> kafka, Routing routing, int maxInFlight) {
    public static final int DEFAULT_MAX_IN_FLIGHT = 10_000;

    public ClientConfig {
        kafka = Map.copyOf(kafka);
    }
}
