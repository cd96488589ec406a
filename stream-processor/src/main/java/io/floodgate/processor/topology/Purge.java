package io.floodgate.processor.topology;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.AdminAnswers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes processed commands: what they did is in the stores and their changelogs. Only what is committed goes, less a
 * margin, and only when it is worth the while, so that nothing is written while nothing happens.
 */
final class Purge {
    private static final Logger LOG = LoggerFactory.getLogger(Purge.class);

    static final Duration PERIOD = Duration.ofMinutes(1);

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    /** The least that is deleted at once. */
    private static final long LEAST = 10_000;

    private final Admin admin;
    private final Namespace namespace;
    private final long margin;
    private final OpenPartitions open;
    private final Meters meters;
    private final Map<PartitionId, Long> purgedTo = new HashMap<>();

    Purge(Admin admin, Namespace namespace, long margin, OpenPartitions open, Meters meters) {
        this.admin = admin;
        this.namespace = namespace;
        this.margin = margin;
        this.open = open;
        this.meters = meters;
    }

    /** Purges; to be called from time to time. A failure is tried again the next time. */
    synchronized void run() {
        Set<PartitionId> logs = open.all();
        purgedTo.keySet().retainAll(logs);
        if (logs.isEmpty()) return;
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = await(
                    admin.listConsumerGroupOffsets(namespace.application()).partitionsToOffsetAndMetadata());
            for (PartitionId log : logs) {
                OffsetAndMetadata done = committed.get(partition(log));
                if (done != null) purge(log, done.offset() - margin);
            }
        } catch (KafkaException e) {
            LOG.warn("Processed commands could not be deleted ({}); trying again in {}.", e.toString(), PERIOD);
        }
    }

    private void purge(PartitionId log, long end) {
        TopicPartition partition = partition(log);
        Long start = purgedTo.get(log);
        if (start == null) {
            start = await(admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                            .partitionResult(partition))
                    .offset();
            purgedTo.put(log, start);
        }
        if (end - start < LEAST) return;
        await(admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(end)))
                .all());
        purgedTo.put(log, end);
        meters.count(Meter.PURGED, end - start);
    }

    private TopicPartition partition(PartitionId log) {
        return new TopicPartition(namespace.of(Topics.COMMANDS), log.partition());
    }

    private static <T> T await(KafkaFuture<T> answer) {
        return AdminAnswers.await(answer, PATIENCE);
    }
}
