package io.floodgate.processor;

import java.nio.file.Path;
import java.util.Map;

/**
 * How a processor runs.
 *
 * @param kafka {@code bootstrap.servers} and anything else Kafka clients understand (TLS, SASL …)
 * @param stateDir where the stores and this node's identity are kept; a processor that finds its own again is back at once
 * @param threads stream threads; each takes a share of the logs
 * @param standbys copies of each log's state kept by other instances
 * @param replication replication factor of the stores' changelogs
 */
public record ProcessorConfig(Map<String, Object> kafka, Path stateDir, int threads, int standbys, short replication) {
    public ProcessorConfig {
        kafka = Map.copyOf(kafka);
    }
}
