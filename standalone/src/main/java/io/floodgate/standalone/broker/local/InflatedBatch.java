package io.floodgate.standalone.broker.local;

import io.floodgate.topics.Topics;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.jspecify.annotations.Nullable;

/**
 * The records of a batch, inflated one at a time: a batch of 100 KB may hold 2 GB. A record that is too large is never in
 * memory, nor are millions of headers, each of which would take fifty times its bytes.
 */
final class InflatedBatch implements Closeable {
    /** No record is larger where the broker has it uncompressed. */
    private static final int MAX_BYTES = Topics.MAX_RECORD_BYTES;

    /** Attributes, time and offset of a record take no more. */
    private static final int START_BYTES = 16;

    /**
     * A record of the batch.
     *
     * @param record null if it is too large, or has too many headers
     */
    record Inflated(long offset, int bytes, @Nullable DefaultRecord record) {}

    private final DefaultRecordBatch batch;
    private final InputStream in;
    private int left;

    InflatedBatch(DefaultRecordBatch batch) {
        this.batch = batch;
        in = batch.recordInputStream(BufferSupplier.NO_CACHING);
        left = batch.countOrNull();
    }

    RecordBatch batch() {
        return batch;
    }

    /** Null behind the last one. */
    @Nullable
    Inflated next() throws IOException {
        if (left == 0) return null;
        left--;
        int size = ByteUtils.readVarint(in);
        if (size < 0) throw new IOException("A record has %d bytes.".formatted(size));
        return size > MAX_BYTES ? skip(size) : whole(size);
    }

    private Inflated skip(int size) throws IOException {
        ByteBuffer start = ByteBuffer.wrap(in.readNBytes(START_BYTES));
        start.get(); // attributes
        ByteUtils.readVarlong(start);
        long offset = batch.baseOffset() + ByteUtils.readVarint(start);
        in.skipNBytes(size - START_BYTES);
        return new Inflated(offset, 0, null);
    }

    private Inflated whole(int size) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(ByteUtils.sizeOfVarint(size) + size);
        ByteUtils.writeVarint(size, bytes);
        if (in.readNBytes(bytes.array(), bytes.position(), size) < size) throw new EOFException();
        try {
            ByteBuffer fields = bytes.duplicate();
            fields.get(); // attributes
            ByteUtils.readVarlong(fields);
            long offset = batch.baseOffset() + ByteUtils.readVarint(fields);
            skipField(fields); // key
            skipField(fields); // value
            if (ByteUtils.readVarint(fields) > Topics.MAX_RECORD_HEADERS) return new Inflated(offset, size, null);
        } catch (BufferUnderflowException | IllegalArgumentException malformed) {
            throw new IOException("A record cannot be read.", malformed);
        }
        DefaultRecord record = read(bytes.rewind());
        return new Inflated(record.offset(), size, record);
    }

    private static void skipField(ByteBuffer fields) {
        int size = ByteUtils.readVarint(fields);
        if (size > 0) fields.position(fields.position() + size);
    }

    private DefaultRecord read(ByteBuffer bytes) {
        return DefaultRecord.readFrom(
                bytes,
                batch.baseOffset(),
                batch.baseTimestamp(),
                batch.baseSequence(),
                batch.timestampType() == TimestampType.LOG_APPEND_TIME ? batch.maxTimestamp() : null);
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException unread) {
            // It is in memory.
        }
    }
}
