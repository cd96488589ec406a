package io.floodgate.gateway.job;

import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.topics.LogId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.QueueTopic;
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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job goes into its queue through the topic of the queue, or through that of all commands. The latter is the way
 * while a topic is missing or held up, and while the log has not said with which key gateways sign.
 */
final class WaysIn {
    /** Who has had no answer by then finds the topic held up. */
    static final Duration HELD_UP_AFTER = Duration.ofSeconds(1);

    /** So often one tries again whether a topic is still held up. */
    static final Duration TRIES = Duration.ofSeconds(1);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final CommandClient client;
    private final QueueTopics topics;
    private final LongSupplier nanos;
    private final byte[] offered = new byte[SignedRequest.KEY_BYTES];
    private final Map<LogId, Key> keys = new ConcurrentHashMap<>();
    /** Until when nobody tries them. */
    private final Map<String, Long> heldUp = new ConcurrentHashMap<>();

    /** Asked for, and there once the log has answered. */
    private static final class Key {
        private volatile byte @Nullable [] bytes;
    }

    /** @param nanos a clock like {@code System.nanoTime()} */
    WaysIn(CommandClient client, QueueTopics topics, LongSupplier nanos) {
        this.client = client;
        this.topics = topics;
        this.nanos = nanos;
        new SecureRandom().nextBytes(offered);
    }

    /** The topic through which jobs go into this queue now; none if it is that of all commands. */
    Optional<QueueTopic> topicOf(String queue, LogId log) {
        if (!topics.isWayInto(queue) || isHeldUp(queue)) return Optional.empty();
        byte[] key = key(log);
        if (key == null) return Optional.empty();
        int partitions = topics.partitions();
        int partition = partitions == 1 ? 0 : ThreadLocalRandom.current().nextInt(partitions);
        return Optional.of(new QueueTopic(queue, partition, key));
    }

    private boolean isHeldUp(String queue) {
        if (heldUp.isEmpty()) return false;
        Long until = heldUp.get(queue);
        if (until == null) return false;
        long now = nanos.getAsLong();
        // The first one after a while finds out for all others.
        return now - until < 0 || !heldUp.replace(queue, until, now + TRIES.toNanos());
    }

    private byte @Nullable [] key(LogId log) {
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

    private void hear(LogId log, Key asked, @Nullable Reply reply) {
        if (reply instanceof Reply.Done done && !done.lines().isEmpty())
            asked.bytes = MemberWalk.text(done.lines().getFirst(), "key")
                    .map(HexFormat.of()::parseHex)
                    .orElse(null);
        if (asked.bytes == null) keys.remove(log, asked);
    }

    /** A job that went through the topic has had no answer for long: others take the other way. */
    void isHeldUp(String queue, LogId log) {
        heldUp.put(queue, nanos.getAsLong() + TRIES.toNanos());
        // It may be that the log has another key by now.
        keys.remove(log);
    }

    void isFree(String queue) {
        if (!heldUp.isEmpty()) heldUp.remove(queue);
    }
}
