package io.floodgate.topics.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.Metadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.internals.Sender;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.serialization.Serializer;

/** A producer that asks for leaders when the other brokers have given one up. */
public class ClusterProducer<K, V> extends KafkaProducer<K, V> implements BrokerWatch.Follower {
    private final BrokerWatch watch;
    private final boolean isTransactional;

    public ClusterProducer(Map<String, Object> config, Serializer<K> keys, Serializer<V> values) {
        super(config, keys, values);
        isTransactional = config.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
        watch = BrokerWatch.join(config, this);
    }

    /**
     * Asks for leaders, and then for its coordinators. Kafka's producer has no method for it. Other requests to that broker
     * run out of time by themselves, but as a coordinator it would say again and again that a transaction is being ended.
     */
    @Override
    public final void leave(Node broker) {
        Metadata metadata = (Metadata) Internals.of(KafkaProducer.class, "metadata", this);
        metadata.requestUpdate(true);
        // While it is listed, it could be asked for the coordinator.
        boolean isListed = metadata.fetch().nodeById(broker.id()) != null;
        if (!isListed && isTransactional) forgetCoordinator(broker);
        ((Sender) Internals.of(KafkaProducer.class, "sender", this)).wakeup();
    }

    private void forgetCoordinator(Node broker) {
        Object transactions = Internals.of(KafkaProducer.class, "transactionManager", this);
        synchronized (transactions) {
            for (String coordinator : List.of("transactionCoordinator", "consumerGroupCoordinator"))
                Internals.clear(transactions, coordinator, node -> ((Node) node).id() == broker.id());
        }
    }

    @Override
    public void close() {
        watch.end(this);
        super.close();
    }

    @Override
    public void close(Duration timeout) {
        watch.end(this);
        super.close(timeout);
    }
}
