package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.client.Rights;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes what has come in from the topics of queues, less a margin, from time to time. */
final class IngressPurge {
    private static final Logger LOG = LoggerFactory.getLogger(IngressPurge.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final Admin admin;
    private final long margin;
    private final Map<TopicPartition, Long> purgedTo = new HashMap<>();
    private long ranAt = System.nanoTime();

    IngressPurge(Admin admin, long margin) {
        this.admin = admin;
        this.margin = margin;
    }

    /**
     * @param in before these offsets everything has come in
     * @param isOwn whether a topic is the queue's own: those of sources are not touched
     */
    void run(Map<TopicPartition, Long> in, Predicate<String> isOwn) {
        if (System.nanoTime() - ranAt < PERIOD.toNanos()) return;
        ranAt = System.nanoTime();
        Map<TopicPartition, RecordsToDelete> done = new HashMap<>();
        in.forEach((partition, offset) -> {
            long end = offset - margin;
            if (!isOwn.test(partition.topic())) return;
            if (end <= purgedTo.getOrDefault(partition, 0L)) return;
            purgedTo.put(partition, end);
            done.put(partition, RecordsToDelete.beforeOffset(end));
        });
        if (done.isEmpty()) return;
        admin.deleteRecords(done).lowWatermarks().forEach((partition, deleted) -> {
            var unused = deleted.whenComplete((mark, failure) -> {
                if (failure != null)
                    LOG.warn(
                            "What has come in is not deleted from {}: {}",
                            partition,
                            Rights.missing(failure, AclOperation.DELETE, ResourceType.TOPIC, partition.topic())
                                    .map(missing -> "the user of the processor lacks the right: " + missing)
                                    .orElse(failure.toString()));
            });
        });
    }

    void forget(TopicPartition partition) {
        purgedTo.remove(partition);
    }
}
