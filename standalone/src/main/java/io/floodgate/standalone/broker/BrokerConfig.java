package io.floodgate.standalone.broker;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The data directory and the addresses of the embedded broker.
 *
 * @param data the directory of its logs, made on first use
 * @param port the port for clients; 0 picks a free one
 * @param advertisedHost the name by which clients on other machines reach it; when empty, only this machine can
 * @param kafka Kafka broker properties that replace ours
 * @param networkOnly clients in this process use it through the network, as they use any other cluster
 * @param sync an answer leaves when what it acknowledges is on the disk
 */
public record BrokerConfig(
        Path data,
        int port,
        Optional<String> advertisedHost,
        Map<String, String> kafka,
        boolean networkOnly,
        boolean sync) {
    public BrokerConfig {
        kafka = Map.copyOf(kafka);
    }

    public BrokerConfig(Path data, int port, Optional<String> advertisedHost, Map<String, String> kafka) {
        this(data, port, advertisedHost, kafka, false, false);
    }

    public BrokerConfig networkOnly(boolean on) {
        return new BrokerConfig(data, port, advertisedHost, kafka, on, sync);
    }

    public BrokerConfig sync(boolean on) {
        return new BrokerConfig(data, port, advertisedHost, kafka, networkOnly, on);
    }

    /** A broker for this machine only, on any free port. */
    public static BrokerConfig in(Path data) {
        return new BrokerConfig(data, 0, Optional.empty(), Map.of());
    }

    String host() {
        return advertisedHost.orElse(Endpoints.LOOPBACK);
    }
}
