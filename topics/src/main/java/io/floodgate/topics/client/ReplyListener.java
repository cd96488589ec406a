package io.floodgate.topics.client;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one partition of the reply topic from its end and completes what waits for the replies. */
final class ReplyListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyListener.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    /** Replies that come later than this find nobody. */
    private static final Duration KEPT_FOR_LATE = Duration.ofMinutes(10);

    private record Waiting(
            CompletableFuture<Reply> reply, Consumer<Reply> late, boolean keepsLate, Duration patience, long since) {
        long deadline() {
            return since + (reply.isDone() ? KEPT_FOR_LATE : patience).toNanos();
        }
    }

    private final org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer;
    private final String requester;
    private final int partition;
    private final AtomicLong correlations = new AtomicLong();
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final Thread thread;
    private final Alarm alarm;
    private volatile boolean closed;

    private ReplyListener(org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer, String requester) {
        this.consumer = consumer;
        this.requester = requester;
        int partitions =
                consumer.partitionsFor(Topics.REPLIES, Duration.ofSeconds(30)).size();
        partition = Math.floorMod(requester.hashCode(), partitions);
        TopicPartition mine = new TopicPartition(Topics.REPLIES, partition);
        consumer.assign(List.of(mine));
        consumer.seekToEnd(List.of(mine));
        consumer.position(mine, Duration.ofSeconds(30));
        thread = Thread.ofPlatform().name("floodgate-replies").daemon().unstarted(this::listen);
        alarm = new Alarm("floodgate-patience", this::giveUp);
    }

    static ReplyListener start(Map<String, Object> kafka) {
        return start(
                new KafkaConsumer<>(consumerConfig(kafka), new StringDeserializer(), new ByteArrayDeserializer()),
                UUID.randomUUID().toString().substring(0, 13));
    }

    static ReplyListener start(org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer, String requester) {
        ReplyListener listener = new ReplyListener(consumer, requester);
        listener.thread.start();
        return listener;
    }

    private static Map<String, Object> consumerConfig(Map<String, Object> kafka) {
        Map<String, Object> config = new HashMap<>(kafka);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        config.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
        config.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        config.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        // What arrives is answered at once; only how often an idle topic is asked again depends on it.
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 5_000);
        return config;
    }

    /** Somebody waits for a reply; after {@code patience} in vain. */
    ReplyTo expect(CompletableFuture<Reply> reply, Consumer<Reply> late, boolean keepsLate, Duration patience) {
        long correlation = correlations.incrementAndGet();
        Waiting entry = new Waiting(reply, late, keepsLate, patience, Alarm.now());
        waiting.put(correlation, entry);
        alarm.set(entry.deadline());
        return new ReplyTo(partition, requester, correlation);
    }

    void fail(ReplyTo replyTo, CommandFailed failure) {
        Waiting gone = waiting.remove(replyTo.correlation());
        if (gone != null) gone.reply.completeExceptionally(failure);
    }

    private long giveUp(long now) {
        waiting.values().removeIf(one -> one.deadline() <= now && isForgotten(one));
        return waiting.values().stream().mapToLong(Waiting::deadline).min().orElse(Alarm.NEVER);
    }

    /** Whose time is up is told so. What a late fetch brings must be given back: it is still waited for. */
    private static boolean isForgotten(Waiting one) {
        boolean forgotten = one.reply.isDone() || !one.keepsLate;
        one.reply.completeExceptionally(new NoReply("no reply within %d ms".formatted(one.patience.toMillis())));
        return forgotten;
    }

    private void listen() {
        while (!closed) {
            try {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
                    if (requester.equals(record.key())) complete(record);
                }
            } catch (WakeupException e) {
                // closing: the loop ends by itself
            } catch (KafkaException e) {
                LOG.warn("Replies cannot be read ({}); trying again, callers time out until it works.", e.toString());
            }
        }
        // It has no group to leave, and the broker may hold the last fetch back for a while.
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }

    /** Anyone may write to the reply topic: what cannot be read must not end the thread that everybody waits for. */
    private void complete(ConsumerRecord<String, byte[]> record) {
        Header header = record.headers().lastHeader(Headers.CORRELATION);
        OptionalLong correlation = header == null ? OptionalLong.empty() : number(text(header));
        if (correlation.isEmpty()) return;
        Waiting found = waiting.remove(correlation.getAsLong());
        // A processor that repeats commands after a crash repeats their replies: the second finds nobody.
        if (found == null) return;
        if (record.value() == null) {
            found.reply.completeExceptionally(new NoReply("the log's reply is empty"));
            return;
        }
        Reply reply;
        try {
            Header refused = record.headers().lastHeader(Headers.REFUSED);
            reply = Reply.read(refused == null ? null : text(refused), record.value());
        } catch (IllegalArgumentException unreadable) {
            found.reply.completeExceptionally(new NoReply("the log's reply cannot be read", unreadable));
            return;
        }
        if (!found.reply.complete(reply) && found.keepsLate) takeLate(found.late, reply);
    }

    /** On a thread of its own: what is done with a late reply may wait, and others wait for theirs. */
    private static void takeLate(Consumer<Reply> late, Reply reply) {
        Thread.ofVirtual().name("floodgate-late-reply").start(() -> late.accept(reply));
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException foreign) {
            return OptionalLong.empty();
        }
    }

    private static String text(Header header) {
        return new String(header.value(), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        closed = true;
        alarm.close();
        consumer.wakeup();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        waiting.values().forEach(w -> w.reply.completeExceptionally(new NoReply("the client was closed")));
    }
}
