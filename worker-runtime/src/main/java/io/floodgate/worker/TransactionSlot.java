package io.floodgate.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A transactional producer, for one job at a time until the partition has the outcome: its mark is that of its last job. */
final class TransactionSlot {
    private static final Duration CLOSING = Duration.ofSeconds(1);
    private static final int COMMIT_TRIES = 3;

    private final String id;
    private final Producer<byte[], byte[]> producer;
    private final TopicPartition markedAt;
    private long lastUsed = System.nanoTime();

    TransactionSlot(String id, Producer<byte[], byte[]> producer, TopicPartition markedAt) {
        this.id = id;
        this.producer = producer;
        this.markedAt = markedAt;
    }

    String id() {
        return id;
    }

    /** Begins a transaction with these records; returns once they are written. */
    void write(List<ProducerRecord<byte[], byte[]>> records) {
        AtomicReference<@Nullable Exception> failed = new AtomicReference<>();
        producer.beginTransaction();
        for (ProducerRecord<byte[], byte[]> record : records) {
            var unused = producer.send(record, (metadata, failure) -> {
                if (failure != null) failed.compareAndSet(null, failure);
            });
        }
        producer.flush();
        Exception failure = failed.get();
        if (failure != null) throw failure instanceof RuntimeException e ? e : new KafkaException(failure);
    }

    /** Commits, or throws: then it is unknown whether it has. */
    void commit(String mark, long lease) {
        producer.sendOffsetsToTransaction(Map.of(markedAt, new OffsetAndMetadata(lease, mark)), group());
        for (int i = 1; ; i++) {
            try {
                producer.commitTransaction();
                lastUsed = System.nanoTime();
                return;
            } catch (TimeoutException mayGoOn) {
                if (i == COMMIT_TRIES) throw mayGoOn;
            }
        }
    }

    /** A group without consumers. */
    @SuppressWarnings("removal") // Kafka 4.4 has no other way to name a group without a consumer
    private ConsumerGroupMetadata group() {
        return new ConsumerGroupMetadata(id);
    }

    Duration idle() {
        return Duration.ofNanos(System.nanoTime() - lastUsed);
    }

    /** Ends whatever is open. */
    void close() {
        try {
            producer.abortTransaction();
        } catch (RuntimeException nothingIsOpen) {
            // Or it is no longer ours to abort.
        }
        producer.close(CLOSING);
    }
}
