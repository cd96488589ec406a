package io.floodgate.webhook;

import io.floodgate.topics.client.ClusterConsumer;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.event.OjsEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads events for one subscription, from the time that it asks for, until it is where the dispatcher is: from then on the
 * dispatcher has it among the others. So a replay of days delays no other subscription.
 *
 * <pre>
 *   events of a partition   ──────────────────────────────────▶
 *   the dispatcher                              ●───▶
 *   the chase               ○────────▶ … ○──────●   joined
 * </pre>
 */
final class Chase implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);

    private final Subscription subscription;
    private final Map<TopicPartition, Long> begins;
    private final Supplier<ClusterConsumer<String, byte[]>> consumers;
    private final Outlet outlet;
    private @Nullable ClusterConsumer<String, byte[]> consumer;

    /** @param begins the offset at which to begin, of each partition */
    Chase(
            Subscription subscription,
            Map<TopicPartition, Long> begins,
            Supplier<ClusterConsumer<String, byte[]>> consumers,
            Outlet outlet) {
        this.subscription = subscription;
        this.begins = new HashMap<>(begins);
        this.consumers = consumers;
        this.outlet = outlet;
    }

    Subscription subscription() {
        return subscription;
    }

    Set<TopicPartition> partitions() {
        return begins.keySet();
    }

    /** The dispatcher has lost this partition to another process. */
    void drop(TopicPartition partition) {
        begins.remove(partition);
        assign();
    }

    private ClusterConsumer<String, byte[]> assign() {
        ClusterConsumer<String, byte[]> own = consumer;
        boolean isNew = own == null;
        if (own == null) {
            own = consumers.get();
            consumer = own;
        }
        own.assign(begins.keySet());
        if (isNew) begins.forEach(own::seek);
        return own;
    }

    /**
     * Reads on.
     *
     * @param ends where the dispatcher is in a partition
     * @param joined called for each partition in which the subscription has caught up
     */
    void step(Function<TopicPartition, Long> ends, Consumer<TopicPartition> joined) throws CommandFailed {
        ClusterConsumer<String, byte[]> own = consumer == null ? assign() : consumer;
        joinReached(own, ends, joined);
        if (begins.isEmpty() || !outlet.hasRoom(subscription)) return;
        ConsumerRecords<String, byte[]> records = own.poll(POLL);
        for (TopicPartition partition : records.partitions()) {
            List<ConsumerRecord<String, byte[]>> some = records.records(partition);
            try {
                List<OjsEvent> wanted = Wanted.events(some).stream()
                        .filter(event -> event.offset() < ends.apply(partition))
                        .filter(Wanted.by(subscription))
                        .toList();
                if (!wanted.isEmpty()) outlet.put(Map.of(subscription, wanted));
            } catch (CommandFailed | RuntimeException failed) {
                EventReaders.readAgain(own, records);
                throw failed;
            }
        }
        // Now, since the dispatcher goes on from where it is.
        joinReached(own, ends, joined);
    }

    private void joinReached(
            ClusterConsumer<String, byte[]> own, Function<TopicPartition, Long> ends, Consumer<TopicPartition> joined) {
        for (TopicPartition partition : List.copyOf(begins.keySet())) {
            if (own.position(partition) < ends.apply(partition)) continue;
            drop(partition);
            joined.accept(partition);
        }
    }

    @Override
    public void close() {
        if (consumer != null) consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
}
