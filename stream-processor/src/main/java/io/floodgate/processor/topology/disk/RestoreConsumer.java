package io.floodgate.processor.topology.disk;

import io.floodgate.topics.client.ClusterConsumer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the changelogs of standbys. While a partition is handed over, its stream thread waits for this consumer and serves
 * nothing: so that it never polls for long, and does not read twice that a transaction has ended.
 */
final class RestoreConsumer extends ClusterConsumer<byte[], byte[]> {
    private static final Duration LONGEST_POLL = Duration.ofMillis(40);
    /** A standby that becomes the owner's store is read on at once. */
    private static final Duration A_MOMENT = Duration.ofSeconds(10);

    /**
     * The last read of a partition that is not read now.
     *
     * @param next behind the last record that was handed on
     * @param position what was to be read next: there is no record between the two
     */
    private record Read(long next, long position, long at) {
        /** Returns where to go on for a store that has everything before this offset. */
        long goOn(long offset) {
            boolean isRecent = System.nanoTime() - at < A_MOMENT.toNanos();
            return isRecent && offset == next ? position : offset;
        }
    }

    private final Map<TopicPartition, Long> next = new HashMap<>();
    private final Map<TopicPartition, Read> left = new HashMap<>();

    RestoreConsumer(Map<String, Object> config) {
        super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records =
                super.poll(timeout.compareTo(LONGEST_POLL) < 0 ? timeout : LONGEST_POLL);
        for (TopicPartition partition : records.partitions())
            next.put(partition, records.records(partition).getLast().offset() + 1);
        return records;
    }

    @Override
    public void assign(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : assignment()) if (!partitions.contains(partition)) leave(partition);
        super.assign(partitions);
    }

    private void leave(TopicPartition partition) {
        Long behind = next.remove(partition);
        if (behind == null) return;
        try {
            left.put(partition, new Read(behind, position(partition, Duration.ZERO), System.nanoTime()));
        } catch (KafkaException unknown) {
            // It is read on from its last record, as always.
        }
    }

    /**
     * Seeks, but passes over the end of a transaction, which alone is behind the last record of a standby that has
     * everything. To read it again takes as long as brokers hold back the last fetch.
     */
    @Override
    public void seek(TopicPartition partition, long offset) {
        Read before = left.remove(partition);
        super.seek(partition, before == null ? offset : before.goOn(offset));
        next.put(partition, offset);
    }

    @Override
    public void seekToBeginning(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            next.remove(partition);
            left.remove(partition);
        }
        super.seekToBeginning(partitions);
    }
}
