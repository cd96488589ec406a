package io.floodgate.processor.topology.ingress;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterProducer;
import io.floodgate.topics.client.Failing;
import io.floodgate.topics.client.Rights;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes records that cannot become jobs to the topics that sources name for them: as they are, with headers that say why. */
final class SourceDeadLetters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceDeadLetters.class);
    private static final String PREFIX = "ojs-source-";
    private static final int MOST_REASON_CHARS = 1_000;

    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Failing failures = new Failing();
    private @Nullable Producer<byte[], byte[]> producer;

    /** @param producers makes the producer, once there is a dead letter */
    SourceDeadLetters(Supplier<Producer<byte[], byte[]>> producers) {
        this.producers = producers;
    }

    static SourceDeadLetters of(Cluster cluster) {
        return new SourceDeadLetters(() -> {
            Map<String, Object> config = new HashMap<>(cluster.client("dead-letters"));
            config.put(ProducerConfig.ACKS_CONFIG, "all");
            config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000);
            config.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
            return new ClusterProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        });
    }

    /** Ends once the record is there for good. */
    CompletableFuture<?> write(OpenSource source, ConsumerRecord<byte[], byte[]> record, @Nullable Rejection why) {
        CompletableFuture<?> written = new CompletableFuture<>();
        String topic = String.valueOf(source.deadLetters());
        try {
            var unused = producer()
                    .send(
                            new ProducerRecord<>(
                                    topic, null, null, record.key(), record.value(), headers(source, record, why)),
                            (metadata, failure) -> {
                                if (failure == null) {
                                    failures.ended();
                                    written.complete(null);
                                } else failed(topic, failure, written);
                            });
        } catch (RuntimeException failure) {
            failed(topic, failure, written);
        }
        return written;
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (producer == null) producer = producers.get();
        return producer;
    }

    private static Headers headers(OpenSource source, ConsumerRecord<byte[], byte[]> record, @Nullable Rejection why) {
        Headers headers = new RecordHeaders(record.headers().toArray());
        put(headers, "name", source.source().name());
        put(headers, "topic", record.topic());
        put(headers, "partition", String.valueOf(record.partition()));
        put(headers, "offset", String.valueOf(record.offset()));
        put(headers, "timestamp", String.valueOf(record.timestamp()));
        put(headers, "code", why == null ? "unknown" : why.code().wire());
        put(headers, "reason", why == null ? "unknown" : Limits.cut(why.message(), MOST_REASON_CHARS));
        return headers;
    }

    private static void put(Headers headers, String name, String value) {
        headers.remove(PREFIX + name).add(PREFIX + name, value.getBytes(UTF_8));
    }

    private void failed(String topic, Exception failure, CompletableFuture<?> written) {
        String cause = Rights.missing(failure, AclOperation.WRITE, ResourceType.TOPIC, topic)
                .map(missing -> "the user of the processor lacks the right: " + missing)
                .orElse(failure.toString());
        if (failures.isNews(cause))
            LOG.warn("Dead letters cannot be written to {} ({}); trying again. Their source waits.", topic, cause);
        written.completeExceptionally(failure);
    }

    @Override
    public synchronized void close() {
        if (producer != null) producer.close(java.time.Duration.ofSeconds(2));
    }
}
