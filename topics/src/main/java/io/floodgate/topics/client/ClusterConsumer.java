package io.floodgate.topics.client;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.internals.ConsumerNetworkClient;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.serialization.Deserializer;

/** A consumer that leaves a broker which the other brokers have given up. */
public class ClusterConsumer<K, V> extends KafkaConsumer<K, V> implements BrokerWatch.Follower {
    private final BrokerWatch watch;

    public ClusterConsumer(Map<String, Object> config, Deserializer<K> keys, Deserializer<V> values) {
        super(config, keys, values);
        watch = BrokerWatch.join(config, this);
    }

    /** Disconnects, and asks another broker for leaders and the coordinator. Kafka's consumer has no method for it. */
    @Override
    public final void leave(Node broker) {
        Object consumer = Internals.of(KafkaConsumer.class, "delegate", this);
        ((Metadata) Internals.of(consumer.getClass(), "metadata", consumer)).requestUpdate(true);
        var connections = (ConsumerNetworkClient) Internals.of(consumer.getClass(), "client", consumer);
        disconnect(connections, broker);
        // A coordinator has a connection of its own.
        disconnect(connections, new Node(Integer.MAX_VALUE - broker.id(), broker.host(), broker.port()));
    }

    private static void disconnect(ConsumerNetworkClient connections, Node broker) {
        KafkaClient client = (KafkaClient) Internals.of(ConsumerNetworkClient.class, "client", connections);
        boolean isConnected = client.connectionDelay(broker, System.currentTimeMillis()) == Long.MAX_VALUE;
        // A node that it never connected to is none that it could disconnect from.
        if (isConnected) connections.disconnectAsync(broker);
    }

    @Override
    public void close() {
        watch.end(this);
        super.close();
    }

    @Override
    @Deprecated
    public void close(Duration timeout) {
        watch.end(this);
        super.close(timeout);
    }

    @Override
    public void close(CloseOptions options) {
        watch.end(this);
        super.close(options);
    }
}
