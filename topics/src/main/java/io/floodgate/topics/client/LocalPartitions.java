package io.floodgate.topics.client;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** The partitions whose leader is a broker in this process: what is written and read there needs no network. */
public interface LocalPartitions {
    LocalPartitions NONE = (record, done) -> false;

    /**
     * Returns at once, whatever state the broker is in. Records to one partition come in the order in which they were given.
     *
     * @param done is called on another thread, like a producer's callback
     * @return false if there is no such leader here: then nothing has happened, and {@code done} is not called
     */
    boolean append(ProducerRecord<String, byte[]> record, Callback done);

    /** Appends a record as {@link #append}, or sends it where its partition is led elsewhere. */
    default void send(ProducerRecord<String, byte[]> record, Callback done, Producer<String, byte[]> elsewhere) {
        if (append(record, done)) return;
        var unused = elsewhere.send(record, done);
    }

    /**
     * Runs the action once a record cannot be lost any more. Other brokers hand out no record before; one in this process
     * lets its partitions be read while it writes them to the disk.
     *
     * @param offset of the record; all before it are on the disk, too
     */
    default void whenOnDisk(TopicPartition partition, long offset, Runnable action) {
        action.run();
    }

    /** Returns once a record cannot be lost any more. */
    default void awaitOnDisk(TopicPartition partition, long offset) {
        CompletableFuture<@Nullable Void> there = new CompletableFuture<>();
        whenOnDisk(partition, offset, () -> there.complete(null));
        there.join();
    }

    /** Runs the action, which answers a caller, once the installation may answer: by its settings, perhaps sooner. */
    default void whenAnswerable(TopicPartition partition, long offset, Runnable action) {
        whenOnDisk(partition, offset, action);
    }

    /**
     * Returns the {@code compression.type} of topics that clients write to. A consumer inflates whatever it finds in a
     * batch of a few KB; where the broker has it uncompressed, the topic's {@code max.message.bytes} bounds it.
     */
    default String compression() {
        return "uncompressed";
    }

    /** A consumer that reads these partitions where they are, and all others as every consumer does. */
    default Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new ClusterConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
