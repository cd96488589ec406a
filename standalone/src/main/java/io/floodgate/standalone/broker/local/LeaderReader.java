package io.floodgate.standalone.broker.local;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import kafka.cluster.Partition;
import kafka.server.ReplicaManager;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;

/** Reads a log that the broker in this process leads, as a consumer of committed records does. */
final class LeaderReader {
    private static final long UNKNOWN = -1;

    private static final int MOST_BYTES = 256 * 1024;

    /** Of records that were compressed or are in large batches, which are read one by one. */
    private static final int MOST_INFLATED_BYTES = 1024 * 1024;

    private static final byte[] YES = new byte[0];

    private final ReplicaManager replicas;
    private final TopicPartition partition;
    private long next = UNKNOWN;
    private Optional<Integer> epoch = Optional.empty();
    /** A compressed or large batch of which not all has been read. */
    private @Nullable InflatedBatch open;

    LeaderReader(ReplicaManager replicas, TopicPartition partition) {
        this.replicas = replicas;
        this.partition = partition;
    }

    TopicPartition partition() {
        return partition;
    }

    /** Returns whether it is known where to read. */
    boolean isSettled() {
        return next != UNKNOWN;
    }

    void unsettle() {
        goTo(UNKNOWN);
    }

    /** The offset that is read next. */
    long next() {
        return next;
    }

    void goTo(long offset) {
        next = offset;
        close();
    }

    private void close() {
        if (open != null) open.close();
        open = null;
    }

    OffsetAndMetadata position() {
        return new OffsetAndMetadata(next, epoch, "");
    }

    /** How far it is to what is committed; 0 when there is nothing to read. */
    long lag() {
        UnifiedLog log = log();
        return log == null ? 0 : Math.max(0, log.lastStableOffset() - next);
    }

    /**
     * Adds what comes next.
     *
     * @param most records together
     * @return false if it takes a real consumer to read on: the log is led elsewhere or cannot be read, or the offset is
     *     not there any more
     */
    boolean read(List<ConsumerRecord<byte[], byte[]>> records, int most) {
        UnifiedLog log = log();
        if (log == null) return false;
        if (next < log.logStartOffset() || next > log.logEndOffset()) return false;
        if (open == null && log.lastStableOffset() <= next) return true;
        try {
            if (open != null) return inflate(open, records, most);
            FetchDataInfo read = log.read(next, MOST_BYTES, FetchIsolation.TXN_COMMITTED, true);
            AbortedBatches transactions = new AbortedBatches(read.abortedTransactions.orElse(List.of()));
            for (MutableRecordBatch batch : inMemory(read.records).batches()) {
                if (records.size() >= most) return true;
                batch.ensureValid();
                if (transactions.isNothing(batch)) next = batch.nextOffset();
                else if (!batch.isCompressed() && batch.sizeInBytes() <= MOST_INFLATED_BYTES) add(batch, records, most);
                else if (batch instanceof DefaultRecordBatch large)
                    // What it holds may be much: what is behind it comes next time.
                    return inflate(new InflatedBatch(large), records, most);
                else return false;
            }
            return true;
        } catch (IOException | ApiException e) {
            return false;
        }
    }

    private boolean inflate(InflatedBatch from, List<ConsumerRecord<byte[], byte[]>> records, int most)
            throws IOException {
        open = from;
        epoch = Optional.of(from.batch().partitionLeaderEpoch());
        long bytes = 0;
        while (records.size() < most && bytes < MOST_INFLATED_BYTES) {
            InflatedBatch.Inflated inflated = from.next();
            if (inflated == null) {
                close();
                next = from.batch().nextOffset();
                return true;
            }
            bytes += inflated.bytes();
            if (inflated.offset() < next) continue;
            Record record = inflated.record();
            records.add(record == null ? tooLarge(from.batch(), inflated.offset()) : consumed(from.batch(), record));
            next = inflated.offset() + 1;
        }
        return true;
    }

    private static MemoryRecords inMemory(Records read) throws IOException {
        if (read instanceof MemoryRecords memory) return memory;
        ByteBuffer buffer = ByteBuffer.allocate(read.sizeInBytes());
        ((FileRecords) read).readInto(buffer, 0);
        return MemoryRecords.readableRecords(buffer);
    }

    private void add(RecordBatch batch, List<ConsumerRecord<byte[], byte[]>> records, int most) {
        epoch = Optional.of(batch.partitionLeaderEpoch());
        for (Record record : batch) {
            if (records.size() >= most) return;
            if (record.offset() < next) continue;
            records.add(consumed(batch, record));
            next = record.offset() + 1;
        }
        next = batch.nextOffset();
    }

    private ConsumerRecord<byte[], byte[]> consumed(RecordBatch batch, Record record) {
        if (record.headers().length > Topics.MAX_RECORD_HEADERS) return tooLarge(batch, record.offset());
        return new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                record.offset(),
                record.timestamp(),
                batch.timestampType(),
                record.keySize(),
                record.valueSize(),
                bytes(record.key()),
                bytes(record.value()),
                new RecordHeaders(record.headers()),
                epoch,
                Optional.empty());
    }

    /** The reader of it reports this. */
    private ConsumerRecord<byte[], byte[]> tooLarge(RecordBatch batch, long offset) {
        return new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                batch.maxTimestamp(),
                batch.timestampType(),
                ConsumerRecord.NULL_SIZE,
                ConsumerRecord.NULL_SIZE,
                null,
                null,
                new RecordHeaders().add(Headers.TOO_LARGE, YES),
                epoch,
                Optional.empty());
    }

    private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
        return buffer == null ? null : Utils.toArray(buffer);
    }

    private @Nullable UnifiedLog log() {
        Partition led = LeaderPartitions.led(replicas, partition);
        if (led == null) return null;
        var log = led.log(); // asked once: it may be taken away at any time
        return log.isDefined() ? log.get() : null;
    }
}
