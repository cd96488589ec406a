package io.floodgate.worker;

import org.apache.kafka.clients.producer.ProducerRecord;

/** What a handler produces. It is kept until the handler has ended, and dropped if that fails. */
public interface JobTransaction {
    /** Records of one job, with their keys, values and headers. */
    int MAX_BYTES = 16 * 1024 * 1024;

    /**
     * Adds a record, without waiting: it is written once the handler has returned.
     *
     * @throws IllegalArgumentException if the records of this job would have more than {@link #MAX_BYTES}
     * @throws IllegalStateException if the handler has returned
     */
    void send(ProducerRecord<byte[], byte[]> record);
}
