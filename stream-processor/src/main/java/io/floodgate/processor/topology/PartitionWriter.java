package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Effects.Answer;
import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.topics.Headers;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.BrokerTimeouts;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterProducer;
import io.floodgate.topics.client.KafkaCommandClient;
import io.floodgate.topics.client.NamespacedPartitions;
import io.floodgate.topics.client.Shortcuts;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandBatch;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plain producer, and the way past it: replies, messages and ticks leave at once and outside of the transaction. A
 * caller need not wait for the commit, since a replay of the partition gives the same answer.
 *
 * <p>Its buffer is never full, so that it never holds up a stream thread: what may be under way to a partition, and to
 * all, is bounded, whether the partition can be written to or not.
 */
final class PartitionWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionWriter.class);
    private static final CommandCodec.Encoded TICK = CommandCodec.encode(new Tick());
    private static final long MIB = 1024L * 1024;
    private static final long MOST_REPLY_BYTES = 64 * MIB;
    private static final long MOST_REPLY_BYTES_OF_A_PARTITION = 16 * MIB;
    private static final long MOST_MESSAGE_BYTES = 40 * MIB;
    private static final int BUFFER_MIB = 192;
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Producer<String, byte[]> producer;
    private final String replies;
    private final Shortcuts shortcuts;
    private final Clock clock;
    private final AtomicLong repliesLost = new AtomicLong();
    private final AtomicLong replyBytes = new AtomicLong();
    private final AtomicLongArray replyBytesOf;
    private final AtomicLong messageBytes = new AtomicLong();

    PartitionWriter(Cluster cluster, Shortcuts shortcuts) {
        this(
                new ClusterProducer<>(
                        producerConfig(cluster.client("replies")), new StringSerializer(), new ByteArraySerializer()),
                cluster.topic(Topics.REPLIES),
                new Shortcuts(
                        shortcuts.replies(),
                        NamespacedPartitions.of(shortcuts.logs(), cluster.namespace()),
                        shortcuts.newTopics()),
                Clock.systemUTC());
    }

    /** @param replies the topic of replies */
    PartitionWriter(Producer<String, byte[]> producer, String replies, Shortcuts shortcuts, Clock clock) {
        this.producer = producer;
        this.replies = replies;
        this.shortcuts = shortcuts;
        this.clock = clock;
        replyBytesOf = new AtomicLongArray(partitions(producer, replies));
    }

    /** A broker that is about to start is waited for: one call of the producer ends long before. */
    private static int partitions(Producer<String, byte[]> producer, String topic) {
        long begun = System.nanoTime();
        while (true) {
            try {
                return producer.partitionsFor(topic).size();
            } catch (TimeoutException unreachable) {
                if (System.nanoTime() - begun < BrokerTimeouts.STARTING.toNanos()) continue;
                producer.close(Duration.ZERO);
                throw unreachable;
            }
        }
    }

    private static Map<String, Object> producerConfig(Map<String, Object> kafka) {
        Map<String, Object> config = new HashMap<>(KafkaCommandClient.producerConfig(kafka));
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_MIB * MIB);
        // Metadata of topics is kept: to ask again would block senders while the cluster cannot be reached.
        config.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, Duration.ofDays(30).toMillis());
        return config;
    }

    /**
     * Sends the answers, once the record that they answer cannot be lost any more.
     *
     * @param offset of the record by which they were decided
     */
    void reply(PartitionId from, long offset, List<Answer> answers) {
        if (answers.isEmpty()) return;
        shortcuts.logs().whenAnswerable(commands(from), offset, () -> answers.forEach(this::reply));
    }

    private static TopicPartition commands(PartitionId partition) {
        return new TopicPartition(Topics.COMMANDS, partition.partition());
    }

    private void reply(Answer answer) {
        ReplyTo to = answer.to();
        if (shortcuts.replies().handOver(to, answer.reply())) return;
        if (to.partition() < 0 || to.partition() >= replyBytesOf.length()) {
            // The producer would wait for such a partition to appear, and the log with it.
            lost(to, "there is no such partition");
            return;
        }
        byte[] value = answer.reply().toBytes();
        if (!reserve(to.partition(), value.length)) {
            lost(to, "too many are under way to there");
            return;
        }
        ProducerRecord<String, byte[]> record = new ProducerRecord<>(replies, to.partition(), to.requester(), value);
        record.headers().add(Headers.CORRELATION, ascii(Long.toString(to.correlation())));
        if (answer.reply() instanceof Reply.Rejected rejected)
            record.headers()
                    .add(Headers.REJECTED, ascii(rejected.rejection().code().name()));
        var unused = producer.send(record, (metadata, failure) -> {
            replyBytes.addAndGet(-value.length);
            replyBytesOf.addAndGet(to.partition(), -value.length);
            if (failure != null) lost(to, failure.toString());
        });
    }

    private boolean reserve(int partition, int bytes) {
        long toThere = replyBytesOf.get(partition);
        if (toThere > 0 && toThere + bytes > MOST_REPLY_BYTES_OF_A_PARTITION) return false;
        if (replyBytes.get() > MOST_REPLY_BYTES) return false;
        replyBytesOf.addAndGet(partition, bytes);
        replyBytes.addAndGet(bytes);
        return true;
    }

    private void lost(ReplyTo to, String why) {
        // One log line for many: a partition that cannot be written to loses each of them.
        long number = repliesLost.incrementAndGet();
        if (Long.bitCount(number) == 1)
            LOG.warn("The reply to {} was lost ({}); its caller will time out. {} were lost so far.", to, why, number);
    }

    /** Returns whether a message of this size can be sent without waiting. */
    boolean hasRoomFor(int bytes) {
        long underWay = messageBytes.get();
        return underWay == 0 || underWay + bytes <= MOST_MESSAGE_BYTES;
    }

    /**
     * Appends them in one record, once what has caused them cannot be lost any more.
     *
     * @param offset of the last record that has caused one of them
     * @param messages to the same partition, in their order, without a gap in their numbers
     * @param acked all messages from there to the same partition, up to this number, have been appended
     */
    void messages(PartitionId from, long offset, List<Outgoing> messages, long acked, Callback appended) {
        Outgoing first = messages.getFirst();
        ProducerRecord<String, byte[]> record = messages.size() == 1 ? alone(first) : together(messages);
        record.headers()
                .add(Headers.FROM, ascii(from.toString()))
                .add(Headers.SEQUENCE, ascii(Long.toString(first.sequence())))
                .add(Headers.ACKED, ascii(Long.toString(acked)));
        int bytes =
                messages.stream().mapToInt(message -> message.value().length).sum();
        messageBytes.addAndGet(bytes);
        Callback done = (metadata, failure) -> {
            messageBytes.addAndGet(-bytes);
            if (failure != null) appended.onCompletion(metadata, failure);
            else
                shortcuts
                        .logs()
                        .whenOnDisk(
                                commands(first.to()), metadata.offset(), () -> appended.onCompletion(metadata, null));
        };
        shortcuts.logs().whenOnDisk(commands(from), offset, () -> send(record, clock.instant(), done));
    }

    private static ProducerRecord<String, byte[]> alone(Outgoing message) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(Topics.COMMANDS, message.to().partition(), message.key(), message.value());
        record.headers().add(Headers.OP, ascii(message.op()));
        if (message.replyTo() != null)
            record.headers().add(Headers.REPLY_TO, ascii(message.replyTo().toString()));
        if (message.by() != null)
            record.headers().add(Headers.BY, ascii(message.by().write()));
        return record;
    }

    private static ProducerRecord<String, byte[]> together(List<Outgoing> messages) {
        CommandCodec.Encoded batch = CommandBatch.encode(messages.stream()
                .map(message -> new CommandBatch.Part(
                        message.op(), message.value(), message.replyTo(), Identity.written(message.by())))
                .toList());
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(Topics.COMMANDS, messages.getFirst().to().partition(), batch.op(), batch.value());
        record.headers().add(Headers.OP, ascii(batch.op()));
        return record;
    }

    /** @param now what time it is, whatever the clock of this machine says */
    void tick(PartitionId log, Instant now, Consumer<@Nullable Exception> done) {
        append(log, "tick", TICK, now, done);
    }

    /** Appends a command of the topology itself, without an answer. */
    void command(PartitionId log, Command command, Consumer<@Nullable Exception> done) {
        CommandCodec.Encoded encoded = CommandCodec.encode(command);
        append(log, encoded.op(), encoded, clock.instant(), done);
    }

    private void append(
            PartitionId log,
            String key,
            CommandCodec.Encoded command,
            Instant now,
            Consumer<@Nullable Exception> done) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(Topics.COMMANDS, log.partition(), key, command.value());
        record.headers().add(Headers.OP, ascii(command.op()));
        send(record, now, (metadata, failure) -> done.accept(failure));
    }

    private void send(ProducerRecord<String, byte[]> record, Instant now, Callback appended) {
        record.headers().add(Headers.SENT, ascii(Long.toString(now.toEpochMilli())));
        shortcuts.logs().send(record, appended, producer);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        close(CLOSING);
    }

    /** Waits for this time at most until what is under way has been sent. */
    void close(Duration time) {
        producer.close(time);
    }
}
