package io.floodgate.worker;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Domain events on a Kafka topic of the user's. */
final class KafkaEvents implements EventSink {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final String topic;

    /** @param kafka {@code bootstrap.servers} and whatever else a Kafka producer understands */
    KafkaEvents(Map<String, Object> kafka, String topic) {
        this(new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer()), topic);
    }

    KafkaEvents(Producer<byte[], byte[]> producer, String topic) {
        this.producer = producer;
        this.topic = topic;
    }

    @Override
    public void send(byte[] key, byte[] event, Consumer<Exception> failed) {
        try {
            var unused = producer.send(new ProducerRecord<>(topic, key, event), (metadata, failure) -> {
                if (failure != null) failed.accept(failure);
            });
        } catch (KafkaException | IllegalStateException failure) {
            failed.accept(failure);
        }
    }

    @Override
    public void close() {
        producer.close(CLOSING);
    }
}
