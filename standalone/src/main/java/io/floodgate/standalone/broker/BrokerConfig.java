package io.floodgate.standalone.broker;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where the embedded broker keeps its data and where it is reached.
 *
 * @param data the directory of its logs, made on first use
 * @param port the port for clients; 0 picks a free one
 * @param advertisedHost the name by which clients on other machines reach it; when empty, only this machine can
 * @param kafka Kafka broker properties that replace ours
 */
public record BrokerConfig(Path data, int port, Optional<String> advertisedHost, Map<String, String> kafka) {
    public BrokerConfig {
        kafka = Map.copyOf(kafka);
    }

    /** A broker for this machine only, on any free port. */
    public static BrokerConfig in(Path data) {
        return new BrokerConfig(data, 0, Optional.empty(), Map.of());
    }

    String host() {
        return advertisedHost.orElse(Endpoints.LOOPBACK);
    }
}
