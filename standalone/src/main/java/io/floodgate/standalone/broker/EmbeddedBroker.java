package io.floodgate.standalone.broker;

import io.floodgate.topics.client.LocalLogs;
import kafka.server.KafkaConfig;

/** One Kafka broker in this process. When {@link #start} returns, it serves; its data survives {@link #close}. */
public final class EmbeddedBroker implements AutoCloseable {
    private final Storage storage;
    private final Endpoints endpoints;
    private final Node node;
    private final LeaderLogs logs;

    private EmbeddedBroker(Storage storage, Endpoints endpoints, Node node) {
        this.storage = storage;
        this.endpoints = endpoints;
        this.node = node;
        logs = new LeaderLogs(node.replicas());
    }

    public static EmbeddedBroker start(BrokerConfig config) {
        var storage = Storage.open(config.data());
        try {
            var endpoints = Endpoints.of(config);
            if (FormerLife.wasKilled(config.data())) {
                FormerLife.end(config.data());
            }
            var kafka = new KafkaConfig(BrokerProperties.of(config, endpoints), false);
            var node = new Node(kafka);
            node.start();
            return new EmbeddedBroker(storage, endpoints, node);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }

    /** What clients take as {@code bootstrap.servers}. */
    public String bootstrap() {
        return endpoints.bootstrap();
    }

    /** For those who are in the same process. */
    public LocalLogs logs() {
        return logs;
    }

    @Override
    public void close() {
        logs.close();
        node.stop();
        storage.close();
    }
}
