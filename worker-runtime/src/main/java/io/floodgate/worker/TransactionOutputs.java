package io.floodgate.worker;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** The records of one run, kept back so that no transaction is open while a handler works. */
final class TransactionOutputs implements JobTransaction {
    private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    private long bytes;
    private boolean isClosed;

    @Override
    public synchronized void send(ProducerRecord<byte[], byte[]> record) {
        if (isClosed) throw new IllegalStateException("the handler has returned: what it sends now is of no job");
        long more = length(record.key()) + length(record.value());
        for (Header header : record.headers()) more += header.key().length() + length(header.value());
        if (bytes + more > MAX_BYTES)
            throw new IllegalArgumentException("The records of a job have at most %d bytes together; these have %d."
                    .formatted(MAX_BYTES, bytes + more));
        bytes += more;
        records.add(record);
    }

    private static long length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    synchronized List<ProducerRecord<byte[], byte[]>> close() {
        isClosed = true;
        return List.copyOf(records);
    }
}
