package io.floodgate.processor.topology;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.AdminAnswers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the cluster; a stream thread waits, but only when a partition is opened or shows a gap. */
final class AdminCommandTopics implements CommandTopics {
    private static final Logger LOG = LoggerFactory.getLogger(AdminCommandTopics.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Admin admin;
    private final Namespace namespace;

    AdminCommandTopics(Admin admin, Namespace namespace) {
        this.admin = admin;
        this.namespace = namespace;
    }

    @Override
    public String id(String plain) {
        String topic = namespace.of(plain);
        var descriptions = await(
                "the id of topic " + topic, admin.describeTopics(List.of(topic)).allTopicNames());
        TopicDescription description = descriptions == null ? null : descriptions.get(topic);
        return description == null ? "" : description.topicId().toString();
    }

    @Override
    public long start(PartitionId log) {
        TopicPartition partition = new TopicPartition(namespace.of(Topics.COMMANDS), log.partition());
        var start = await(
                "where partition " + log + " begins",
                admin.listOffsets(Map.of(partition, OffsetSpec.earliest())).partitionResult(partition));
        return start == null ? -1 : start.offset();
    }

    private static <T> @Nullable T await(String what, KafkaFuture<T> answer) {
        try {
            return AdminAnswers.await(answer, PATIENCE);
        } catch (KafkaException e) {
            LOG.warn("The cluster does not say {} ({}); it is taken as unknown.", what, e.toString());
            return null;
        }
    }
}
