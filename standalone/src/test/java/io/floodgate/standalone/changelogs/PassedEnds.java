package io.floodgate.standalone.changelogs;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.streams.KafkaClientSupplier;

/** Has Kafka Streams ask a broker that does not know of the last records of some partitions. */
record PassedEnds(KafkaClientSupplier clients, Map<TopicPartition, Long> passed) implements KafkaClientSupplier {
    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return new ForwardingAdmin(config) {
            @Override
            public ListOffsetsResult listOffsets(Map<TopicPartition, OffsetSpec> asked, ListOffsetsOptions options) {
                ListOffsetsResult now = super.listOffsets(asked, options);
                Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> answers = new HashMap<>();
                for (TopicPartition partition : asked.keySet())
                    answers.put(partition, now.partitionResult(partition).thenApply(end -> before(partition, end)));
                return new ListOffsetsResult(answers);
            }

            // Metrics are not pushed to brokers.
            @Override
            public void registerMetricForSubscription(KafkaMetric metric) {}

            @Override
            public void unregisterMetricFromSubscription(KafkaMetric metric) {}
        };
    }

    private ListOffsetsResultInfo before(TopicPartition partition, ListOffsetsResultInfo now) {
        long end = passed.getOrDefault(partition, now.offset());
        return new ListOffsetsResultInfo(end, now.timestamp(), now.leaderEpoch());
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return clients.getProducer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return clients.getConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return clients.getRestoreConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return clients.getGlobalConsumer(config);
    }
}
