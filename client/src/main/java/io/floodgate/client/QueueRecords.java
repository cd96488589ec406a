package io.floodgate.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.queue.OrderKey;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Jobs as records of their queues' topics, for a Kafka producer of your own. In a transaction, the jobs come in if, and only
 * if, it is committed.
 */
public final class QueueRecords {
    private static final OutgoingJob.Ids IDS = new OutgoingJob.Ids(
            System::currentTimeMillis, () -> ThreadLocalRandom.current().nextLong());

    private QueueRecords() {}

    /**
     * Returns the record that enqueues this job. Its queue must have a topic of its own. The job gets an id, unless it has one; its
     * order key becomes the key of the record, so that jobs with the same one come in in their order.
     *
     * @throws JobRejected if the server would not take the job
     */
    public static ProducerRecord<byte[], byte[]> of(Job job) {
        return of(job, "");
    }

    /** The same, for an installation with this {@code --namespace}; empty for none. */
    public static ProducerRecord<byte[], byte[]> of(Job job, String namespace) {
        OutgoingJob outgoing = OutgoingJob.of(job, IDS);
        String key = job.json().path(OrderKey.NAME).stringValue(null);
        return new ProducerRecord<>(
                new Namespace(namespace).ingress(outgoing.queue()),
                key == null ? null : key.getBytes(UTF_8),
                outgoing.json());
    }
}
