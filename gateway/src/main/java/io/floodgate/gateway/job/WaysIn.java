package io.floodgate.gateway.job;

import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.QueueTopic;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.SignedRequest;
import io.floodgate.topics.json.MemberWalk;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job goes into its queue through the topic of the queue, or through that of all commands. The latter is the way
 * until a question that is written to the topic was answered, so that no job finds out that no processor reads it yet, or that it
 * is held up; and while the partition has not said with which key gateways sign.
 */
final class WaysIn {
    /** Who has had no answer by then finds the topic held up. */
    static final Duration HELD_UP_AFTER = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final CommandClient client;
    private final QueueTopics topics;
    private final byte[] offered = new byte[SignedRequest.KEY_BYTES];
    private final Map<PartitionId, Key> keys = new ConcurrentHashMap<>();
    private final Map<String, Way> ways = new ConcurrentHashMap<>();

    /** Asked for, and there once the partition has answered. */
    private static final class Key {
        private volatile byte @Nullable [] bytes;
    }

    private static final class Way {
        private volatile boolean open;
        private final AtomicBoolean asking = new AtomicBoolean();
    }

    WaysIn(CommandClient client, QueueTopics topics) {
        this.client = client;
        this.topics = topics;
        new SecureRandom().nextBytes(offered);
    }

    /** The topic through which jobs go into this queue now; none if it is that of all commands. */
    Optional<QueueTopic> topicOf(String queue, PartitionId log) {
        if (!topics.isWayInto(queue)) {
            if (!ways.isEmpty()) ways.remove(queue);
            return Optional.empty();
        }
        byte[] key = key(log);
        if (key == null) return Optional.empty();
        int partitions = topics.partitions();
        int partition = partitions == 1 ? 0 : ThreadLocalRandom.current().nextInt(partitions);
        QueueTopic topic = new QueueTopic(queue, partition, key);
        Way way = ways.computeIfAbsent(queue, name -> new Way());
        if (way.open) return Optional.of(topic);
        if (way.asking.compareAndSet(false, true)) ask(way, topic, log);
        return Optional.empty();
    }

    private void ask(Way way, QueueTopic topic, PartitionId log) {
        Enqueue question = new Enqueue(SignedRequest.question(), false, Duration.ZERO);
        var unused = client.enqueue(topic, log, question, PATIENCE, null, null).whenComplete((reply, failure) -> {
            if (reply instanceof Reply.Done) way.open = true;
            else keys.remove(log); // it may have another by now
            way.asking.set(false);
        });
    }

    private byte @Nullable [] key(PartitionId log) {
        Key known = keys.get(log);
        if (known != null) return known.bytes;
        Key asked = new Key();
        if (keys.putIfAbsent(log, asked) == null) {
            var unused = client.send(
                            log, log.toString(), new UseKey(HexFormat.of().formatHex(offered)), PATIENCE)
                    .whenComplete((reply, failure) -> hear(log, asked, reply));
        }
        return asked.bytes;
    }

    private void hear(PartitionId log, Key asked, @Nullable Reply reply) {
        if (reply instanceof Reply.Done done && !done.lines().isEmpty())
            asked.bytes = MemberWalk.text(done.lines().getFirst(), "key")
                    .map(HexFormat.of()::parseHex)
                    .orElse(null);
        if (asked.bytes == null) keys.remove(log, asked);
    }

    /** A job that went through the topic has had no answer for long: others take the other way until a question has one. */
    void isHeldUp(String queue) {
        Way way = ways.get(queue);
        if (way != null) way.open = false;
    }
}
