package io.floodgate.topics.client;

import io.floodgate.topics.Namespace;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Sends records to the topics of a namespace. */
public record NamespacedPartitions(LocalPartitions logs, Namespace namespace) implements LocalPartitions {
    public static LocalPartitions of(LocalPartitions logs, Namespace namespace) {
        return namespace.equals(Namespace.NONE) ? logs : new NamespacedPartitions(logs, namespace);
    }

    @Override
    public boolean append(ProducerRecord<String, byte[]> record, Callback done) {
        return logs.append(renamed(record), done);
    }

    @Override
    public void send(ProducerRecord<String, byte[]> record, Callback done, Producer<String, byte[]> elsewhere) {
        logs.send(renamed(record), done, elsewhere);
    }

    @Override
    public void whenOnDisk(TopicPartition partition, long offset, Runnable action) {
        logs.whenOnDisk(renamed(partition), offset, action);
    }

    @Override
    public void whenAnswerable(TopicPartition partition, long offset, Runnable action) {
        logs.whenAnswerable(renamed(partition), offset, action);
    }

    private TopicPartition renamed(TopicPartition partition) {
        return new TopicPartition(namespace.of(partition.topic()), partition.partition());
    }

    private ProducerRecord<String, byte[]> renamed(ProducerRecord<String, byte[]> record) {
        return new ProducerRecord<>(
                namespace.of(record.topic()),
                record.partition(),
                record.timestamp(),
                record.key(),
                record.value(),
                record.headers());
    }

    @Override
    public String compression() {
        return logs.compression();
    }

    @Override
    public Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return logs.consumer(config);
    }
}
