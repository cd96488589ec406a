package io.floodgate.webhook;

import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterConsumer;
import io.floodgate.topics.client.ReaderSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the readers of events have in common: those that make deliveries, and those that write for sinks. */
public final class EventReaders {
    private static final Logger LOG = LoggerFactory.getLogger(EventReaders.class);
    private static final Duration LEAVING = Duration.ofSeconds(3);
    private static final int RECORDS_AT_ONCE = 500;

    private EventReaders() {}

    /** Returns the settings of a reader without a group. */
    static Map<String, Object> settings(Cluster cluster, String client) {
        Map<String, Object> config = new HashMap<>(ReaderSettings.committed(cluster.client(client)));
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS_AT_ONCE);
        // This also keeps it from making the topics that it asks for.
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return config;
    }

    /** Returns the settings of a reader that shares the partitions with the others of its group. */
    public static Map<String, Object> settings(Cluster cluster, String client, String group) {
        Map<String, Object> config = settings(cluster, client);
        config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        config.put(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                List.of(CooperativeStickyAssignor.class.getName()));
        config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
        config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_500);
        return config;
    }

    public static ClusterConsumer<String, byte[]> open(Map<String, Object> settings) {
        return new ClusterConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
    }

    /** Goes back to the first of all that was polled: also of partitions whose records were not looked at. */
    public static void readAgain(ClusterConsumer<String, byte[]> reader, ConsumerRecords<String, byte[]> records) {
        for (TopicPartition each : records.partitions())
            reader.seek(each, records.records(each).getFirst().offset());
    }

    /** Returns the number that was committed with an offset; 0 if it was not committed by such a reader. */
    public static long mark(OffsetAndMetadata committed) {
        try {
            return Long.parseLong(committed.metadata());
        } catch (NumberFormatException foreign) {
            return 0;
        }
    }

    /** Leaves the group, which gives the partitions to others. */
    public static void leave(ClusterConsumer<String, byte[]> reader, String whose) {
        try {
            reader.close(CloseOptions.timeout(LEAVING));
        } catch (KafkaException failure) {
            LOG.warn("The group of {} was not left in order: {}", whose, failure.toString());
        }
    }
}
