package io.floodgate.topics.client;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partition of the reply topic that the replies of a client come in. If nothing comes in it while a command waits in
 * vain, its broker may be out of reach: then replies are to come in a partition that another broker leads. The former one is
 * read on, for replies that are on their way.
 */
final class ReplyPartition {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyPartition.class);

    /** Time that another broker has to say where its partition ends. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Consumer<String, byte[]> consumer;
    private final String topic;
    private volatile int partition;
    /** When something came in, by {@link DeadlineTimer#now}. */
    private volatile long heard = DeadlineTimer.now();

    private volatile boolean isSilent;

    /** Reads a partition from its end. All other methods but those that say otherwise are for the thread that reads. */
    ReplyPartition(Consumer<String, byte[]> consumer, String topic, String requester) {
        this.consumer = consumer;
        this.topic = topic;
        List<PartitionInfo> all = consumer.partitionsFor(topic, BrokerTimeouts.STARTING);
        partition = Math.floorMod(requester.hashCode(), all.size());
        read(List.of(of(partition)), BrokerTimeouts.STARTING);
    }

    private TopicPartition of(int number) {
        return new TopicPartition(topic, number);
    }

    /** @param partitions all of them; the last one is read from its end */
    private void read(List<TopicPartition> partitions, Duration patience) {
        consumer.assign(partitions);
        consumer.seekToEnd(List.of(partitions.getLast()));
        consumer.position(partitions.getLast(), patience);
    }

    /** Returns the partition for the reply of a command that is sent now. For any thread. */
    int number() {
        return partition;
    }

    void heard() {
        heard = DeadlineTimer.now();
    }

    /**
     * A command waited in vain for its reply. For any thread.
     *
     * @param since when it was sent, by {@link DeadlineTimer#now}
     */
    void unanswered(long since) {
        if (heard - since < 0) isSilent = true;
    }

    void leaveIfSilent() {
        if (!isSilent) return;
        isSilent = false;
        List<PartitionInfo> all = consumer.partitionsFor(topic, PATIENCE);
        Set<Node> tried = new HashSet<>();
        tried.add(all.get(partition).leader());
        for (int i = 1; i < all.size(); i++) {
            PartitionInfo next = all.get((partition + i) % all.size());
            if (next.leader() != null && tried.add(next.leader()) && isTaken(next)) return;
        }
    }

    private boolean isTaken(PartitionInfo next) {
        try {
            read(List.of(of(partition), of(next.partition())), PATIENCE);
        } catch (TimeoutException unreachable) {
            return false;
        }
        LOG.warn("No reply comes in {}: replies are to come in {}.", of(partition), of(next.partition()));
        partition = next.partition();
        heard();
        return true;
    }
}
