package io.floodgate.processor.topology.disk;

import io.floodgate.topics.client.ClusterProducer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The producer of a stream thread. It informs the stores when, and up to where, a transaction has been committed, and
 * sends the writes of a transaction at its end, for all tasks together.
 */
final class TransactionalProducer extends ClusterProducer<byte[], byte[]> {
    private final Transactions transactions;
    private final Map<TopicPartition, Long> ends = new ConcurrentHashMap<>();
    private final FutureTask<Void> initialization;
    private volatile boolean isEnding;
    /** The first of the transaction. */
    private volatile @Nullable Exception lost;

    TransactionalProducer(Map<String, Object> config, Transactions transactions) {
        super(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.transactions = transactions;
        initialization = new FutureTask<>(super::initTransactions, null);
        Thread.ofPlatform()
                .daemon()
                .name(config.get(ProducerConfig.CLIENT_ID_CONFIG) + "-initialization")
                .start(initialization);
    }

    /**
     * Waits for the initialization that has begun with the producer. Kafka Streams asks for it when the first partition
     * has been assigned, and nothing serves that partition until it is done.
     */
    @Override
    public void initTransactions() {
        try {
            initialization.get();
        } catch (ExecutionException failure) {
            super.initTransactions();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    @Override
    public void beginTransaction() {
        lost = null;
        super.beginTransaction();
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        return super.send(record, (metadata, failure) -> {
            if (failure == null)
                ends.merge(new TopicPartition(metadata.topic(), metadata.partition()), metadata.offset(), Math::max);
            else if (lost == null) lost = failure;
            // Kafka Streams would remember a failure, and let the next send fail with it, of whichever task that is.
            if (failure == null || !isEnding) callback.onCompletion(metadata, failure);
        });
    }

    /**
     * Kafka Streams flushes each of its tasks before a commit, one after the other, and each would wait for requests to
     * all brokers that lead its partitions. Only the transaction has to be complete, which its end sees to.
     */
    @Override
    public void flush() {}

    @Override
    public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        isEnding = true;
        try {
            super.flush();
        } finally {
            isEnding = false;
        }
        Exception failure = lost;
        // Either ends what the tasks have done since the last commit, and not the thread.
        if (failure instanceof RetriableException)
            throw new TimeoutException("A record of the transaction could not be sent.", failure);
        if (failure instanceof OutOfOrderSequenceException)
            throw new CommitFailedException("A record of the transaction was lost: " + failure.getMessage());
        super.sendOffsetsToTransaction(offsets, group);
    }

    @Override
    public void commitTransaction() {
        super.commitTransaction();
        transactions.committed(ends);
        ends.clear();
    }

    @Override
    public void abortTransaction() {
        transactions.aborted();
        super.abortTransaction();
        ends.clear();
    }
}
