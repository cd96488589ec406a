package io.floodgate.bench.limit;

import io.floodgate.topics.Headers;
import io.floodgate.topics.client.KafkaCommandClient;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** In the place of the stream processor: one thread that answers every record, and does nothing else. */
final class EchoServer implements AutoCloseable {
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Consumer<byte[], byte[]> consumer;
    private final Producer<byte[], byte[]> producer;
    private final Thread thread;
    private volatile boolean closed;

    private EchoServer(Map<String, Object> kafka) {
        consumer = EchoConsumer.of(EchoTopics.REQUESTS, kafka);
        producer = new KafkaProducer<>(
                KafkaCommandClient.producerConfig(kafka), new ByteArraySerializer(), new ByteArraySerializer());
        thread = Thread.ofPlatform().name("bench-echo-server").daemon().unstarted(this::serve);
    }

    static EchoServer start(Map<String, Object> kafka) {
        EchoServer server = new EchoServer(kafka);
        server.thread.start();
        return server;
    }

    private void serve() {
        try {
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> request : consumer.poll(POLL)) {
                    var reply = new ProducerRecord<byte[], byte[]>(EchoTopics.REPLIES, 0, null, request.value());
                    reply.headers().add(request.headers().lastHeader(Headers.CORRELATION));
                    var unused = producer.send(reply);
                }
            }
        } catch (WakeupException e) {
            // closing
        }
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        consumer.close();
        producer.close(Duration.ofSeconds(5));
    }
}
