package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Topics;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ReplyPartitionTest {
    private static final Node A = new Node(1, "a", 9092);
    private static final Node B = new Node(2, "b", 9092);

    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("latest");

    /** Returns the first partition of these, by their leaders. */
    private ReplyPartition first(Node... leaders) {
        for (int i = 0; i < leaders.length; i++) consumer.updateEndOffsets(Map.of(of(i), 100L));
        consumer.updatePartitions(
                Topics.REPLIES,
                IntStream.range(0, leaders.length)
                        .mapToObj(i -> new PartitionInfo(Topics.REPLIES, i, leaders[i], new Node[0], new Node[0]))
                        .toList());
        return new ReplyPartition(consumer, Topics.REPLIES, "");
    }

    private static TopicPartition of(int partition) {
        return new TopicPartition(Topics.REPLIES, partition);
    }

    @Test
    void a_partition_in_which_nothing_comes_is_left_for_one_that_another_broker_leads() {
        ReplyPartition partition = first(A, A, B);
        partition.unanswered(DeadlineTimer.now());
        partition.leaveIfSilent();
        assertThat(partition.number()).isEqualTo(2);
        assertThat(consumer.assignment()).isEqualTo(Set.of(of(0), of(2)));
    }

    @Test
    void what_was_sent_before_something_came_in_says_nothing() {
        ReplyPartition partition = first(A, B);
        long sent = DeadlineTimer.now();
        partition.heard();
        partition.unanswered(sent);
        partition.leaveIfSilent();
        assertThat(partition.number()).isZero();
    }

    @Test
    void where_one_broker_leads_all_it_stays() {
        ReplyPartition partition = first(A, A);
        partition.unanswered(DeadlineTimer.now());
        partition.leaveIfSilent();
        assertThat(partition.number()).isZero();
        assertThat(consumer.assignment()).isEqualTo(Set.of(of(0)));
    }
}
