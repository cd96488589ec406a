package io.floodgate.topics.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.internals.AdminMetadataManager;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.metrics.KafkaMetric;

/**
 * An admin client that asks for brokers when the other brokers have given one up. It would ask that one where changelogs
 * end, which has not seen their last records.
 */
public final class ClusterAdmin extends ForwardingAdmin implements BrokerWatch.Follower {
    private final BrokerWatch watch;

    public ClusterAdmin(Map<String, Object> config) {
        super(config);
        watch = BrokerWatch.join(config, this);
    }

    /** Kafka's admin client has no method for it. Requests to that broker run out of time by themselves. */
    @Override
    public void leave(Node broker) {
        Object admin = Internals.of(ForwardingAdmin.class, "delegate", this);
        ((AdminMetadataManager) Internals.of(admin.getClass(), "metadataManager", admin)).requestUpdate();
        ((KafkaClient) Internals.of(admin.getClass(), "client", admin)).wakeup();
    }

    /** Returns host and port of brokers that do not answer this process, although no other broker has given them up. */
    public List<String> brokersOutOfReach() {
        return watch.outOfReach();
    }

    /** Metrics are not pushed to brokers. */
    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {}

    /** Metrics are not pushed to brokers. */
    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {}

    @Override
    public void close(Duration timeout) {
        watch.end(this);
        super.close(timeout);
    }
}
