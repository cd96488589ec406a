package io.floodgate.bench.limit;

import io.floodgate.topics.Headers;
import io.floodgate.topics.client.KafkaCommandClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** In the place of the gateway: sends a record and waits for its echo. */
final class EchoClient implements AutoCloseable {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final long PATIENCE_SECONDS = 30;

    private final Producer<byte[], byte[]> producer;
    private final Consumer<byte[], byte[]> consumer;
    private final Map<Long, CompletableFuture<Integer>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong correlations = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    private EchoClient(Map<String, Object> kafka) {
        producer = new KafkaProducer<>(
                KafkaCommandClient.producerConfig(kafka), new ByteArraySerializer(), new ByteArraySerializer());
        consumer = EchoConsumer.of(EchoTopics.REPLIES, kafka);
        thread = Thread.ofPlatform().name("bench-echo-client").daemon().unstarted(this::listen);
    }

    static EchoClient start(Map<String, Object> kafka) {
        EchoClient client = new EchoClient(kafka);
        client.thread.start();
        return client;
    }

    void echo(int partition, byte[] payload) throws Exception {
        long correlation = correlations.incrementAndGet();
        CompletableFuture<Integer> echo = new CompletableFuture<>();
        waiting.put(correlation, echo);
        var record = new ProducerRecord<byte[], byte[]>(EchoTopics.REQUESTS, partition, null, payload);
        record.headers()
                .add(
                        Headers.CORRELATION,
                        ByteBuffer.allocate(Long.BYTES).putLong(correlation).array());
        var unused = producer.send(record, (metadata, failure) -> {
            if (failure != null) echo.completeExceptionally(failure);
        });
        try {
            int length = echo.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (length != payload.length)
                throw new IllegalStateException("%d bytes came back instead of %d".formatted(length, payload.length));
        } catch (ExecutionException e) {
            throw new IllegalStateException("the echo's request was not appended", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("no echo within %d s".formatted(PATIENCE_SECONDS), e);
        } finally {
            waiting.remove(correlation);
        }
    }

    private void listen() {
        try {
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> reply : consumer.poll(POLL)) {
                    long correlation = ByteBuffer.wrap(reply.headers()
                                    .lastHeader(Headers.CORRELATION)
                                    .value())
                            .getLong();
                    CompletableFuture<Integer> echo = waiting.get(correlation);
                    if (echo != null) echo.complete(reply.value().length);
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
