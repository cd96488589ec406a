package io.floodgate.standalone;

import io.floodgate.standalone.broker.BrokerConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How all roles run in one process.
 *
 * @param stateDirectory where the processor keeps its stores
 * @param partitions of every topic, when they are created
 * @param threads stream threads of the processor
 * @param kafka what every Kafka client is told, beside where the broker is
 */
record StandaloneConfig(
        BrokerConfig broker,
        Path stateDirectory,
        int partitions,
        int threads,
        HttpConfig http,
        Map<String, String> kafka) {
    StandaloneConfig {
        kafka = Map.copyOf(kafka);
    }

    /** On free ports, for nobody else: for tests and rehearsals. */
    static StandaloneConfig in(Path data) {
        return new StandaloneConfig(
                new BrokerConfig(data.resolve("kafka"), 0, Optional.empty(), Map.of()),
                data.resolve("streams"),
                8,
                1,
                new HttpConfig("127.0.0.1", 0, true),
                Map.of());
    }
}
