package io.floodgate.topics.client;

import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes what waits for replies: those that a processor in this process hands over, and those of all others, which come
 * in a {@link ReplyPartition}.
 */
final class ReplyListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyListener.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    /** Most bytes of replies that were handed over and are not processed yet. */
    private static final long MOST_DIRECT_BYTES = 16L * 1024 * 1024;

    private record Waiting(
            CompletableFuture<Reply> reply,
            Duration patience,
            long deadline,
            @Nullable Consumer<Reply> late,
            LateReplies keptIn) {}

    private record Direct(long correlation, Reply reply, int bytes) {}

    private final org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer;
    private final DirectReplies direct;
    private final Handover<Direct> handover;
    private final String topic;
    private final String requester;
    private final ReplyPartition partition;
    private final AtomicLong directBytes = new AtomicLong();
    private final AtomicLong correlations = new AtomicLong();
    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final Deadlines deadlines = new Deadlines();
    private final LateReplies lateReplies = new LateReplies();
    private final LateReplies lateWakeUps = LateReplies.ofWatches();
    private final Failing failing = new Failing();
    private final Thread thread;
    private final DeadlineTimer alarm;
    private volatile boolean closed;

    private ReplyListener(
            org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer,
            String topic,
            String requester,
            DirectReplies direct) {
        this.consumer = consumer;
        this.topic = topic;
        this.requester = requester;
        this.direct = direct;
        partition = new ReplyPartition(consumer, topic, requester);
        thread = Thread.ofPlatform().name("floodgate-replies").daemon().unstarted(this::listen);
        alarm = new DeadlineTimer("floodgate-patience", this::giveUp);
        handover = new Handover<>("floodgate-direct", this::complete);
    }

    static ReplyListener start(Cluster cluster, DirectReplies direct) {
        return start(
                new ClusterConsumer<>(
                        ReaderSettings.uncommitted(cluster.client("replies")),
                        new StringDeserializer(),
                        new ByteArrayDeserializer()),
                cluster.topic(Topics.REPLIES),
                UUID.randomUUID().toString().substring(0, 13),
                direct);
    }

    static ReplyListener start(
            org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer,
            String topic,
            String requester,
            DirectReplies direct) {
        ReplyListener listener = new ReplyListener(consumer, topic, requester, direct);
        listener.thread.start();
        direct.register(requester, listener::take);
        return listener;
    }

    String requester() {
        return requester;
    }

    /**
     * A caller waits for a reply, for {@code patience}.
     *
     * @param late gets a reply that comes although the future has ended otherwise; on the thread that reads replies
     */
    ReplyTo expect(CompletableFuture<Reply> reply, Duration patience, @Nullable Consumer<Reply> late) {
        return expect(reply, patience, late, lateReplies);
    }

    /** The same for a watch, whose answer matters for a moment only. */
    ReplyTo expectWakeUp(CompletableFuture<Reply> reply, Duration patience, Consumer<Reply> late) {
        return expect(reply, patience, late, lateWakeUps);
    }

    private ReplyTo expect(
            CompletableFuture<Reply> reply, Duration patience, @Nullable Consumer<Reply> late, LateReplies keptIn) {
        long correlation = correlations.incrementAndGet();
        Waiting entry = new Waiting(reply, patience, DeadlineTimer.now() + patience.toNanos(), late, keptIn);
        waiting.put(correlation, entry);
        alarm.set(deadlines.add(correlation, entry.deadline));
        // However it ends: its entry is removed when the caller stops waiting.
        var unused = reply.whenComplete((done, failure) -> forget(correlation, entry));
        return new ReplyTo(partition.number(), requester, correlation);
    }

    private void forget(long correlation, Waiting entry) {
        deadlines.remove(correlation, entry.deadline);
        if (waiting.remove(correlation, entry) && entry.late != null)
            entry.keptIn.add(correlation, entry.late, DeadlineTimer.now());
    }

    void fail(ReplyTo replyTo, CommandFailed failure) {
        // What was not sent is not answered late either.
        Waiting gone = failure instanceof CommandNotSent
                ? waiting.remove(replyTo.correlation())
                : waiting.get(replyTo.correlation());
        if (gone != null) gone.reply.completeExceptionally(failure);
    }

    private long giveUp(long now) {
        for (long correlation : deadlines.due(now)) {
            Waiting gone = waiting.get(correlation);
            if (gone == null) continue;
            partition.unanswered(gone.deadline - gone.patience.toNanos());
            gone.reply.completeExceptionally(NoReply.within(gone.patience));
        }
        return deadlines.next();
    }

    /** The number of entries: replies that callers wait for, and late ones that have a handler. */
    int size() {
        return waiting.size() + lateReplies.size();
    }

    /** Returns how full the buffer of replies is that were handed over in this process. */
    double saturation() {
        return (double) directBytes.get() / MOST_DIRECT_BYTES;
    }

    double lateSaturation() {
        return (double) lateReplies.size() / LateReplies.MOST;
    }

    private void listen() {
        while (!closed) {
            try {
                partition.leaveIfSilent();
                ConsumerRecords<String, byte[]> records = consumer.poll(POLL);
                if (!records.isEmpty()) partition.heard();
                for (ConsumerRecord<String, byte[]> record : records)
                    if (requester.equals(record.key())) complete(record);
                failing.ended();
            } catch (WakeupException e) {
                // closing: the loop ends by itself
            } catch (KafkaException e) {
                complain(e);
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
        // It has no group to leave, and the broker may hold the last fetch back for a while.
        consumer.close(CloseOptions.timeout(Duration.ZERO));
    }

    private void complain(KafkaException failure) {
        String cause = Rights.missing(failure, AclOperation.READ, ResourceType.TOPIC, topic)
                .map(missing -> "the user of this role lacks the right: " + missing)
                .orElse(failure.toString());
        if (failing.isNews(cause))
            LOG.warn("Replies cannot be read ({}); trying again each second, callers time out until it works.", cause);
    }

    /**
     * Completes a reply. Any client may write to the reply topic: an unreadable record must not end the thread of all
     * callers.
     */
    private void complete(ConsumerRecord<String, byte[]> record) {
        Header header = record.headers().lastHeader(Headers.CORRELATION);
        OptionalLong correlation = header == null ? OptionalLong.empty() : number(text(header));
        if (correlation.isPresent()) complete(correlation.getAsLong(), reply -> read(record, reply));
    }

    /** Takes a reply on a stream thread. */
    private boolean take(long correlation, Reply reply) {
        if (directBytes.get() > MOST_DIRECT_BYTES) return false;
        int bytes = reply.bytes();
        directBytes.addAndGet(bytes);
        handover.put(new Direct(correlation, reply, bytes));
        return true;
    }

    private void complete(Direct direct) {
        directBytes.addAndGet(-direct.bytes);
        complete(direct.correlation, reply -> reply.complete(direct.reply));
    }

    private void complete(long correlation, Consumer<CompletableFuture<Reply>> completion) {
        Waiting found = waiting.remove(correlation);
        if (found != null) {
            completion.accept(found.reply);
            return;
        }
        // A processor that repeats commands after a crash repeats their replies: mostly no caller waits.
        Consumer<Reply> late = lateReplies.take(correlation);
        if (late == null) late = lateWakeUps.take(correlation);
        if (late == null) return;
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        completion.accept(reply);
        if (!reply.isCompletedExceptionally()) late.accept(reply.join());
    }

    private static void read(ConsumerRecord<String, byte[]> record, CompletableFuture<Reply> reply) {
        if (record.value() == null) {
            reply.completeExceptionally(new NoReply("the partition's reply is empty"));
            return;
        }
        try {
            Header rejected = record.headers().lastHeader(Headers.REJECTED);
            reply.complete(Reply.read(rejected == null ? null : text(rejected), record.value()));
        } catch (IllegalArgumentException unreadable) {
            reply.completeExceptionally(new NoReply("the partition's reply cannot be read", unreadable));
        }
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
        direct.unregister(requester);
        handover.close();
        alarm.close();
        consumer.wakeup();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Waiting one : waiting.values()) one.reply.completeExceptionally(new NoReply("the client was closed"));
    }
}
