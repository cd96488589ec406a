package io.floodgate.standalone.broker;

import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/** One Kafka broker in this process. When {@link #start} returns, it serves; its data survives {@link #close}. */
public final class EmbeddedBroker implements AutoCloseable {
    private final Storage storage;
    private final Endpoints endpoints;
    private final KafkaRaftServer server;

    private EmbeddedBroker(Storage storage, Endpoints endpoints, KafkaRaftServer server) {
        this.storage = storage;
        this.endpoints = endpoints;
        this.server = server;
    }

    public static EmbeddedBroker start(BrokerConfig config) {
        var storage = Storage.open(config.data());
        try {
            var endpoints = Endpoints.of(config);
            if (FormerLife.wasKilled(config.data())) {
                FormerLife.end(config.data());
            }
            var kafka = new KafkaConfig(BrokerProperties.of(config, endpoints), false);
            var server = new KafkaRaftServer(kafka, Time.SYSTEM);
            server.startup();
            return new EmbeddedBroker(storage, endpoints, server);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }

    /** What clients take as {@code bootstrap.servers}. */
    public String bootstrap() {
        return endpoints.bootstrap();
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
        storage.close();
    }
}
