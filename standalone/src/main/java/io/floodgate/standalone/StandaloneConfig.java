package io.floodgate.standalone;

import io.floodgate.processor.ProcessorConfig.Logs;
import io.floodgate.standalone.broker.BrokerConfig;
import io.floodgate.topics.Namespace;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of all roles in one process.
 *
 * @param stateDirectory where the processor keeps its stores
 * @param partitions of every topic, when they are created
 * @param threads stream threads of the processor
 * @param logs what is decided about the partitions
 * @param kafka settings of every Kafka client, beside the address of the broker
 */
record StandaloneConfig(
        BrokerConfig broker,
        Path stateDirectory,
        int partitions,
        int threads,
        Logs logs,
        HttpConfig http,
        Map<String, String> kafka,
        Namespace namespace) {
    StandaloneConfig {
        kafka = Map.copyOf(kafka);
    }

    /** Makes settings without a namespace. */
    StandaloneConfig(
            BrokerConfig broker,
            Path stateDirectory,
            int partitions,
            int threads,
            Logs logs,
            HttpConfig http,
            Map<String, String> kafka) {
        this(broker, stateDirectory, partitions, threads, logs, http, kafka, Namespace.NONE);
    }

    /** The same, without the shortcut to the broker. */
    StandaloneConfig networkOnly() {
        return new StandaloneConfig(
                broker.networkOnly(true), stateDirectory, partitions, threads, logs, http, kafka, namespace);
    }

    StandaloneConfig withPartitions(int number) {
        return new StandaloneConfig(broker, stateDirectory, number, threads, logs, http, kafka, namespace);
    }

    /** Everything with defaults, on free ports, for tests and rehearsals: with test mode. */
    static StandaloneConfig in(Path data) {
        return new StandaloneConfig(
                new BrokerConfig(data.resolve("kafka"), 0, Optional.empty(), Map.of()),
                data.resolve("streams"),
                8,
                1,
                Logs.DEFAULT,
                HttpConfig.local(0, true),
                Map.of());
    }
}
