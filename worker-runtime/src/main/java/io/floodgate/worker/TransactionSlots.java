package io.floodgate.worker;

import io.floodgate.topics.Topics;
import io.floodgate.topics.client.BrokerTimeouts;
import io.floodgate.topics.client.Cluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The transactional producers of a worker, as many as have jobs to commit at the same time. Each has an id that was never
 * used before: a mark must not be overwritten by another process while its job needs it.
 */
final class TransactionSlots implements AutoCloseable {
    /** Before the ids of producers, and the groups with their marks. */
    static final String PREFIX = "ojs-transactions-";

    /** Kafka forgets producers that have done nothing for 7 days. */
    private static final Duration LONGEST_IDLE = Duration.ofHours(1);

    private final String prefix;
    private final Function<String, Producer<byte[], byte[]>> producers;
    private final Marks marks;
    private final TopicPartition markedAt;
    private final ConcurrentLinkedDeque<TransactionSlot> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger made = new AtomicInteger();
    private volatile boolean isClosed;

    /** Says what transactions have left. */
    interface Marks extends AutoCloseable {
        /** Returns the mark of the last transaction that the producer with this id has committed; null if there is none. */
        @Nullable
        String of(String id);

        @Override
        void close();
    }

    /** @param markedAt the partition whose offset in a group with the name of the producer is the mark */
    TransactionSlots(
            String prefix, Function<String, Producer<byte[], byte[]>> producers, Marks marks, TopicPartition markedAt) {
        this.prefix = prefix;
        this.producers = producers;
        this.marks = marks;
        this.markedAt = markedAt;
    }

    /**
     * Opens them in this cluster.
     *
     * @param overrides properties of producers, of their user
     * @throws KafkaException if this user may not do what transactions need
     */
    static TransactionSlots open(Cluster cluster, Map<String, Object> overrides) {
        TopicPartition markedAt = new TopicPartition(cluster.topic(Topics.REPLIES), 0);
        TransactionSlots slots = new TransactionSlots(
                cluster.namespace().of(PREFIX) + UUID.randomUUID() + "-",
                id -> new KafkaProducer<>(
                        producerConfig(cluster, overrides, id), new ByteArraySerializer(), new ByteArraySerializer()),
                new GroupOffsets(Admin.create(cluster.client("marks")), markedAt),
                markedAt);
        try {
            TransactionSlot first = slots.take();
            slots.marks.of(first.id());
            slots.giveBack(first);
        } catch (KafkaException failure) {
            slots.close();
            throw failure;
        }
        return slots;
    }

    private static Map<String, Object> producerConfig(Cluster cluster, Map<String, Object> overrides, String id) {
        Map<String, Object> config = new HashMap<>(cluster.client("transactions"));
        BrokerTimeouts timeouts = BrokerTimeouts.of(cluster.kafka());
        // All records of a job are there when it is committed: there is nothing to wait for.
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeouts.severalMs());
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeouts.severalMs());
        config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, timeouts.transactionMs());
        config.putAll(overrides);
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        return config;
    }

    /** Returns a producer that is in no transaction. */
    TransactionSlot take() {
        for (TransactionSlot slot = idle.pollFirst(); slot != null; slot = idle.pollFirst()) {
            if (slot.idle().compareTo(LONGEST_IDLE) < 0) return slot;
            slot.close();
        }
        String id = prefix + made.incrementAndGet();
        Producer<byte[], byte[]> producer = producers.apply(id);
        TransactionSlot slot = new TransactionSlot(id, producer, markedAt);
        try {
            producer.initTransactions();
            return slot;
        } catch (RuntimeException failure) {
            slot.close();
            throw failure;
        }
    }

    /** The partition has the outcome of its last job: nothing looks for its mark any more. */
    void giveBack(TransactionSlot slot) {
        idle.addFirst(slot);
        if (isClosed) closeIdle();
    }

    /** Its last transaction may be looked for. */
    void retire(TransactionSlot slot) {
        slot.close();
    }

    /**
     * Ends what the producer with this id has open, wherever it is, and returns whether its last transaction was committed with this
     * mark.
     */
    boolean isCommitted(String id, String mark) {
        try (Producer<byte[], byte[]> successor = producers.apply(id)) {
            successor.initTransactions();
        }
        return mark.equals(marks.of(id));
    }

    private record GroupOffsets(Admin admin, TopicPartition markedAt) implements Marks {
        @Override
        public @Nullable String of(String id) {
            try {
                OffsetAndMetadata found = admin.listConsumerGroupOffsets(
                                id, new ListConsumerGroupOffsetsOptions().requireStable(true))
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .get(markedAt);
                return found == null ? null : found.metadata();
            } catch (ExecutionException failure) {
                if (failure.getCause() instanceof GroupIdNotFoundException) return null;
                throw failure.getCause() instanceof KafkaException e ? e : new KafkaException(failure.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException(e);
            }
        }

        @Override
        public void close() {
            admin.close(Duration.ofSeconds(1));
        }
    }

    private void closeIdle() {
        for (TransactionSlot slot = idle.pollFirst(); slot != null; slot = idle.pollFirst()) slot.close();
    }

    @Override
    public void close() {
        isClosed = true;
        closeIdle();
        marks.close();
    }
}
