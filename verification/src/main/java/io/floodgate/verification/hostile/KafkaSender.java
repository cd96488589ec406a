package io.floodgate.verification.hostile;

import static io.floodgate.verification.client.RequestBodies.bytes;

import io.floodgate.topics.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A client of Kafka that appends whatever it likes to a partition. */
public final class KafkaSender implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    public KafkaSender(String bootstrap) {
        this(bootstrap, Map.of());
    }

    /** @param more settings of its producer */
    public KafkaSender(String bootstrap, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>();
        config.put("bootstrap.servers", bootstrap);
        config.put("acks", "all");
        config.put("max.request.size", 64 * 1024 * 1024);
        config.put("buffer.memory", 256L * 1024 * 1024);
        config.put("enable.metrics.push", false);
        config.putAll(more);
        producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** So that it reaches the broker with whatever else is in the transaction, which is never ended. */
    public void beginTransaction() {
        producer.initTransactions();
        producer.beginTransaction();
    }

    /** Returns at once; see {@link #flush}. */
    public void send(Draft draft) {
        var unused = producer.send(draft.record, (metadata, failed) -> failure.compareAndSet(null, failed));
    }

    /** Returns when the broker has it. */
    public void sendAndWait(Draft draft) throws InterruptedException, ExecutionException {
        var unused = producer.send(draft.record).get();
    }

    /** A record that is being made. */
    public static final class Draft {
        private final ProducerRecord<byte[], byte[]> record;

        public Draft(int partition, byte[] value) {
            this(partition, null, value);
        }

        public Draft(int partition, @Nullable Long timestamp, byte[] value) {
            record = new ProducerRecord<>(Topics.COMMANDS, partition, timestamp, bytes("hostile"), value);
        }

        /** In the topic of a queue's own. */
        public Draft(String queue, byte[] value) {
            record = new ProducerRecord<>(Topics.ingress(queue), bytes("hostile"), value);
        }

        /** Of all that was given, in bytes. */
        public int size() {
            int size = record.value().length;
            for (Header header : record.headers()) size += header.value().length;
            return size;
        }

        public Draft with(String header, String value) {
            return with(header, bytes(value));
        }

        public Draft with(String header, byte[] value) {
            record.headers().add(header, value);
            return this;
        }

        public Draft with(Header header) {
            record.headers().add(header);
            return this;
        }
    }

    /** Fails if one of the records was not appended. */
    public void flush() {
        producer.flush();
        Exception failed = failure.get();
        if (failed != null) throw new IllegalStateException("a record was not appended", failed);
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
