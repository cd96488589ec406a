package io.floodgate.standalone.broker;

import io.floodgate.standalone.broker.disk.GroupSync;
import io.floodgate.standalone.broker.local.LeaderPartitions;
import io.floodgate.topics.client.LocalPartitions;
import kafka.server.KafkaConfig;
import org.jspecify.annotations.Nullable;

/** One Kafka broker in this process. When {@link #start} returns, it serves; its data survives {@link #close}. */
public final class EmbeddedBroker implements AutoCloseable {
    private final Storage storage;
    private final Endpoints endpoints;
    private final Node node;
    private final @Nullable LeaderPartitions logs;

    private EmbeddedBroker(Storage storage, Endpoints endpoints, Node node, BrokerConfig config) {
        this.storage = storage;
        this.endpoints = endpoints;
        this.node = node;
        logs = config.networkOnly() ? null : new LeaderPartitions(node.replicas(), node.sync(), config.sync());
    }

    public static EmbeddedBroker start(BrokerConfig config) {
        var storage = Storage.open(config.data());
        try {
            var endpoints = Endpoints.of(config);
            boolean wasKilled = FormerLife.wasKilled(config.data());
            LogCheck.run(config.data(), wasKilled);
            if (wasKilled) {
                FormerLife.end(config.data());
                storage.writeToDisk();
            }
            var kafka = new KafkaConfig(BrokerProperties.of(config, endpoints), false);
            var node = new Node(kafka);
            node.start();
            storage.writeNamesToDisk();
            return new EmbeddedBroker(storage, endpoints, node, config);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
    }

    /** Returns what clients take as {@code bootstrap.servers}. */
    public String bootstrap() {
        return endpoints.bootstrap();
    }

    /** The partitions that it leads, for clients in the same process; none if they are to use the network. */
    public LocalPartitions logs() {
        return logs == null ? LocalPartitions.NONE : logs;
    }

    /** The syncs of its logs, which answers wait for. */
    public GroupSync sync() {
        return node.sync();
    }

    @Override
    public void close() {
        if (logs != null) logs.close();
        node.stop();
        storage.close();
    }
}
