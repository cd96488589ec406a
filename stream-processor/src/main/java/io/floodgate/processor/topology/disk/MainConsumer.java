package io.floodgate.processor.topology.disk;

import io.floodgate.topics.client.ClusterConsumer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.errors.TaskMigratedException;

/** The consumer of a stream thread. While its processor is absent, it drops its tasks and does not join its group. */
final class MainConsumer extends ClusterConsumer<byte[], byte[]> {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final BooleanSupplier isAbsent;
    private boolean hasTasks;

    MainConsumer(Map<String, Object> config, BooleanSupplier isAbsent) {
        super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.isAbsent = isAbsent;
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        if (!isAbsent.getAsBoolean()) {
            hasTasks = true;
            return super.poll(timeout);
        }
        if (hasTasks) {
            hasTasks = false;
            throw new TaskMigratedException("other processors have these partitions");
        }
        LockSupport.parkNanos(PAUSE.toNanos());
        return ConsumerRecords.empty();
    }
}
