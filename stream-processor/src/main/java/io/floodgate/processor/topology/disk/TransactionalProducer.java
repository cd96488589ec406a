package io.floodgate.processor.topology.disk;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A stream thread's producer, which tells the stores when, and up to where, a transaction has been committed. */
final class TransactionalProducer extends KafkaProducer<byte[], byte[]> {
    private final Transactions transactions;
    private final Map<TopicPartition, Long> ends = new ConcurrentHashMap<>();

    TransactionalProducer(Map<String, Object> config, Transactions transactions) {
        super(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.transactions = transactions;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        return super.send(record, (metadata, failure) -> {
            if (failure == null)
                ends.merge(new TopicPartition(metadata.topic(), metadata.partition()), metadata.offset(), Math::max);
            callback.onCompletion(metadata, failure);
        });
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
