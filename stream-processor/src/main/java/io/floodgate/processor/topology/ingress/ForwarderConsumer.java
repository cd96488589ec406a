package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.client.Cluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;

/** Settings of the consumer with which a forwarder reads the topics of queues. */
final class ForwarderConsumer {
    private ForwarderConsumer() {}

    /** @param node the name of this process in the group */
    static Map<String, Object> config(Cluster cluster, String node) {
        Map<String, Object> config = new HashMap<>(cluster.client("ingress"));
        // A restart takes the assignment that it had, without waiting for the session of its former life to end.
        config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, node);
        // Its lag is what has not come in.
        config.put(ConsumerConfig.GROUP_ID_CONFIG, cluster.namespace().ingressesGroup());
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        // Producers may write jobs in transactions of their own.
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                List.of(CooperativeStickyAssignor.class.getName()));
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_500);
        // So soon is a new topic found.
        config.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 2_000);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1_000);
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 8 * 1024 * 1024);
        config.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        return config;
    }
}
