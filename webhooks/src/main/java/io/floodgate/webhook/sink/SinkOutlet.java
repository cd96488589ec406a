package io.floodgate.webhook.sink;

import io.floodgate.topics.client.BrokerTimeouts;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterAdmin;
import io.floodgate.topics.client.ClusterConsumer;
import io.floodgate.topics.client.ClusterProducer;
import io.floodgate.topics.client.SourceOffsets;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.SinkCommand.Sink;
import io.floodgate.topics.sink.OutcomeMark;
import io.floodgate.topics.sink.SinkRecord;
import io.floodgate.topics.sink.SinkTemplate;
import io.floodgate.topics.template.Unmappable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** Makes records of outcomes, and writes them, together with how far events were looked at, in transactions. */
final class SinkOutlet implements AutoCloseable {
    private static final Duration KNOWN_FOR = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final int LARGEST_RECORD = 16 * 1024 * 1024;

    /** An outcome that is to be written: where its event is, and its record. */
    private record Outgoing(TopicPartition partition, long offset, ProducerRecord<byte[], byte[]> record) {
        String place() {
            return place(partition, offset);
        }

        static String place(TopicPartition partition, long offset) {
            return partition.partition() + "/" + offset;
        }
    }

    private record KnownTopic(int partitions, long since) {}

    private final Cluster cluster;
    private final long id;
    private final String client;
    private final String transactionalId;
    private final SinkReports reports;
    private final SinkMeters meters;
    private final Map<String, KnownTopic> topics = new HashMap<>();
    /** Why brokers do not take the record of an event, by its place. */
    private final Map<String, String> unwritable = new ConcurrentHashMap<>();

    private volatile SinkTemplate template;
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean isOpen;

    SinkOutlet(Cluster cluster, Sink sink, String transactionalId, SinkReports reports, SinkMeters meters) {
        this.cluster = cluster;
        this.transactionalId = transactionalId;
        this.reports = reports;
        this.meters = meters;
        id = sink.id();
        client = "sink-" + sink.name();
        template = template(sink);
    }

    private SinkTemplate template(Sink sink) {
        return SinkTemplate.of(sink.target(), cluster.namespace()::owns);
    }

    /** The sink may have changed. */
    void known(Sink sink) {
        template = template(sink);
    }

    /** Returns the places in events at which a sink begins. */
    Map<TopicPartition, Long> offsets(Set<TopicPartition> partitions, String start) {
        try (Admin admin = new ClusterAdmin(cluster.client("sinks"))) {
            return new SourceOffsets(admin).of(partitions, start).join();
        } catch (CompletionException failure) {
            throw new KafkaException(String.valueOf(failure.getCause()), failure.getCause());
        }
    }

    /** Begins, and ends a transaction that was left open. */
    Producer<byte[], byte[]> open() {
        Producer<byte[], byte[]> own = producer;
        if (own != null) return own;
        BrokerTimeouts timeouts = BrokerTimeouts.of(cluster.kafka());
        Map<String, Object> config = new HashMap<>(cluster.client(client));
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        // Readers of the topic wait for the transaction of a process that was killed.
        config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, timeouts.severalMs());
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeouts.severalMs());
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, timeouts.severalMs());
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, LARGEST_RECORD);
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, (long) LARGEST_RECORD);
        config.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        own = new ClusterProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        producer = own;
        own.initTransactions();
        return own;
    }

    /**
     * Writes the outcomes among these events.
     *
     * @param offsets how far they are
     * @return whether there were any, so that the offsets are committed
     */
    boolean write(
            ConsumerRecords<String, byte[]> events,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ClusterConsumer<String, byte[]> reader)
            throws SinkFailed {
        List<Outgoing> outgoing = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        for (ConsumerRecord<String, byte[]> event : events) {
            try {
                Outgoing made = made(event, reader);
                if (made != null) outgoing.add(made);
            } catch (Unmappable unmappable) {
                skipped.add("Event %d of partition %d: %s"
                        .formatted(event.offset(), event.partition(), unmappable.getMessage()));
            }
        }
        if (!outgoing.isEmpty()) commit(outgoing, offsets, reader);
        skipped.forEach(why -> {
            meters.skipped();
            reports.skipped(why);
        });
        return !outgoing.isEmpty();
    }

    private void commit(
            List<Outgoing> outgoing,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ClusterConsumer<String, byte[]> reader) {
        Producer<byte[], byte[]> own = open();
        own.beginTransaction();
        isOpen = true;
        for (Outgoing each : outgoing) {
            var unused = own.send(each.record, (metadata, failure) -> {
                // It will not be taken the next time, either.
                if (failure instanceof RecordTooLargeException || failure instanceof InvalidRecordException)
                    unwritable.put(each.place(), String.valueOf(failure.getMessage()));
            });
        }
        own.sendOffsetsToTransaction(offsets, reader.groupMetadata());
        own.commitTransaction();
        isOpen = false;
        unwritable.clear();
        meters.wrote(outgoing.size());
    }

    /** Returns null for what is not for this sink. */
    private @Nullable Outgoing made(ConsumerRecord<String, byte[]> event, ClusterConsumer<String, byte[]> reader)
            throws SinkFailed, Unmappable {
        Header mark = event.headers().lastHeader(OutcomeMark.HEADER);
        if (mark == null || mark.value() == null || event.value() == null) return null;
        ObjectNode job;
        try {
            job = OutcomeMark.read(mark.value(), event.value(), id);
        } catch (JacksonException foreign) {
            return null;
        }
        if (job == null) return null;
        SinkRecord made = template.record(job);
        int partitions = partitions(made.topic(), reader);
        Integer partition = made.partition();
        if (partition != null && partition >= partitions)
            throw new Unmappable("The topic '%s' has no partition %d.".formatted(made.topic(), partition));
        TopicPartition from = new TopicPartition(event.topic(), event.partition());
        String why = unwritable.get(Outgoing.place(from, event.offset()));
        if (why != null) throw new Unmappable(why);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(made.topic(), partition, made.key(), made.value());
        made.headers().forEach((name, value) -> record.headers().add(name, value));
        return new Outgoing(from, event.offset(), record);
    }

    /** Brokers might make a topic for a producer: it is asked for by a client for which they do not. */
    private int partitions(String topic, ClusterConsumer<String, byte[]> reader) throws SinkFailed {
        KnownTopic known = topics.get(topic);
        if (known != null && System.nanoTime() - known.since < KNOWN_FOR.toNanos()) return known.partitions;
        topics.remove(topic);
        List<PartitionInfo> partitions = reader.partitionsFor(topic, PATIENCE);
        if (partitions == null || partitions.isEmpty())
            throw new SinkFailed("There is no topic '%s'.".formatted(Limits.echo(topic)));
        topics.put(topic, new KnownTopic(partitions.size(), System.nanoTime()));
        return partitions.size();
    }

    /** What is open was never written. Of a commit without an answer, the next producer finds out. */
    void abort() {
        Producer<byte[], byte[]> own = producer;
        if (own == null) return;
        try {
            if (isOpen) own.abortTransaction();
            isOpen = false;
        } catch (KafkaException | IllegalStateException unusable) {
            close();
        }
    }

    @Override
    public void close() {
        Producer<byte[], byte[]> own = producer;
        producer = null;
        isOpen = false;
        if (own == null) return;
        own.close(CLOSING);
    }
}
