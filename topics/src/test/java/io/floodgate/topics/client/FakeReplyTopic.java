package io.floodgate.topics.client;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.ReplyTo;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** The reply topic, with a requester that reads it. */
final class FakeReplyTopic {
    static final String REQUESTER = "me";
    private static final int PARTITIONS = 8;
    private static final int MINE = Math.floorMod(REQUESTER.hashCode(), PARTITIONS);

    final MockConsumer<String, byte[]> consumer = new MockConsumer<>("latest");
    final DirectReplies direct = new DirectReplies();
    final ReplyListener listener;
    private long offset = 100;

    FakeReplyTopic() {
        consumer.updatePartitions(
                Topics.REPLIES,
                IntStream.range(0, PARTITIONS).mapToObj(FakeReplyTopic::info).toList());
        for (int partition = 0; partition < PARTITIONS; partition++)
            consumer.updateEndOffsets(Map.of(new TopicPartition(Topics.REPLIES, partition), offset));
        listener = ReplyListener.start(consumer, Topics.REPLIES, REQUESTER, direct);
    }

    /** Each of two brokers leads half of the partitions. */
    private static PartitionInfo info(int partition) {
        Node leader = new Node(partition % 2, "broker", 9092);
        return new PartitionInfo(Topics.REPLIES, partition, leader, new Node[] {leader}, new Node[] {leader});
    }

    /**
     * A reply arrives, and all that depends on it is done: who waits for its future instead may go on before the rest. With a
     * null code it says that the command was executed.
     */
    void receives(String requester, String correlation, String rejected, byte[] value) {
        receives(MINE, requester, correlation, rejected, value);
    }

    private void receives(int partition, String requester, String correlation, String rejected, byte[] value) {
        CompletableFuture<Void> dealtWith = new CompletableFuture<>();
        synchronized (consumer) {
            var record = new ConsumerRecord<>(Topics.REPLIES, partition, offset++, requester, value);
            if (correlation != null) record.headers().add(Headers.CORRELATION, bytes(correlation));
            if (rejected != null) record.headers().add(Headers.REJECTED, bytes(rejected));
            consumer.schedulePollTask(() -> consumer.addRecord(record));
            // The listener polls again when it is through with what the poll before gave it.
            consumer.schedulePollTask(() -> dealtWith.complete(null));
        }
        dealtWith.orTimeout(20, TimeUnit.SECONDS).join();
    }

    void receives(ReplyTo to, String body) {
        receives(to.partition(), to.requester(), Long.toString(to.correlation()), null, bytes(body));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static List<Integer> partition() {
        return List.of(MINE);
    }
}
