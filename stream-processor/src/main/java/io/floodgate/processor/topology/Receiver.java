package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.topics.PartitionId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of one partition to another one, in their order. What cannot be appended is sent again, with all that came
 * after it, for as long as it takes; only what is for this receiver waits meanwhile.
 *
 * <p>Everything runs on the stream thread but what a producer calls when an append has ended.
 */
final class Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

    /**
     * Most messages that may be on their way at once. A receiver remembers more than that, to recognize repetitions.
     */
    private static final int MOST_UNDER_WAY = 1_000;

    private static final long MOST_BYTES_UNDER_WAY = 1024 * 1024;
    /** Most messages that are kept in memory for a receiver that is slow or gone. The rest is in the outbox. */
    private static final int MOST_WAITING = 1_000;

    private static final long MOST_BYTES_WAITING = 4 * 1024 * 1024;
    /** Most messages of one record, which is executed as a whole while others wait. */
    private static final int MOST_TOGETHER = 100;

    private static final int MOST_BYTES_TOGETHER = 256 * 1024;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final class PendingMessage {
        private final Outgoing message;
        private final Runnable delivered;
        private volatile boolean appended;

        private PendingMessage(Outgoing message, Runnable delivered) {
            this.message = message;
            this.delivered = delivered;
        }

        private int bytes() {
            return message.value().length;
        }
    }

    private final PartitionId from;
    private final PartitionId to;
    private final PartitionEngine engine;
    private final PartitionWriter writer;
    private final Clock clock;
    private final Deque<PendingMessage> waiting = new ArrayDeque<>();
    private final Deque<PendingMessage> sent = new ArrayDeque<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile @Nullable Exception failure;
    private long bytesWaiting;
    private long bytesSent;
    private boolean moreStored;
    private long last;
    private @Nullable Instant failingSince;
    private Instant retryAt = Instant.MIN;

    Receiver(PartitionId from, PartitionId to, PartitionEngine engine, PartitionWriter writer, Clock clock) {
        this.from = from;
        this.to = to;
        this.engine = engine;
        this.writer = writer;
        this.clock = clock;
    }

    /** Begins with what an earlier owner of the partition, or an earlier life, has left. */
    void load() {
        List<Outgoing> slice = engine.unsent(to, last, MOST_WAITING, MOST_BYTES_WAITING);
        moreStored = !slice.isEmpty();
        for (Outgoing message : slice) accept(message, () -> {});
    }

    /** @param delivered runs once the message stands in its partition; perhaps never */
    void add(Outgoing message, Runnable delivered) {
        if (!moreStored && waiting.size() < MOST_WAITING && bytesWaiting < MOST_BYTES_WAITING)
            accept(message, delivered);
        else moreStored = true;
    }

    /** Returns whether more would have to wait for the next record. */
    boolean isRecordFull() {
        return waiting.size() >= MOST_TOGETHER || bytesWaiting >= MOST_BYTES_TOGETHER;
    }

    private void accept(Outgoing message, Runnable delivered) {
        PendingMessage pending = new PendingMessage(message, delivered);
        waiting.add(pending);
        bytesWaiting += pending.bytes();
        last = message.sequence();
    }

    /** Forgets what has been appended, and sends what may be sent now. */
    void tidy() {
        for (PendingMessage pending = sent.peek(); pending != null && pending.appended; pending = sent.peek()) {
            engine.appended(to, pending.message.sequence());
            bytesSent -= pending.bytes();
            sent.remove();
            recovered();
        }
        Exception failed = failure;
        if (failed != null) {
            // The rest fails, too, or is appended for nothing: its receiver only takes what comes next.
            if (unanswered.get() > 0) return;
            takeBack(failed);
        }
        if (clock.instant().isBefore(retryAt)) return;
        sendWaiting();
    }

    private void takeBack(Exception failed) {
        for (PendingMessage pending = sent.pollLast(); pending != null; pending = sent.pollLast()) {
            waiting.addFirst(pending);
            bytesWaiting += pending.bytes();
        }
        bytesSent = 0;
        failure = null;
        retryAt = clock.instant().plus(PAUSE);
        if (failingSince != null) return;
        failingSince = clock.instant();
        LOG.warn(
                "Messages of partition {} to partition {} cannot be appended ({}). They wait, and are tried again every {} s.",
                from,
                to,
                failed.toString(),
                PAUSE.toSeconds());
    }

    private void recovered() {
        if (failingSince == null) return;
        LOG.info(
                "Messages of partition {} to partition {} are appended again; they could not be since {}.",
                from,
                to,
                failingSince);
        failingSince = null;
    }

    private void sendWaiting() {
        while (sent.size() < MOST_UNDER_WAY && bytesSent < MOST_BYTES_UNDER_WAY) {
            if (waiting.isEmpty() && moreStored) load();
            List<PendingMessage> next = takeTogether();
            if (next.isEmpty()) return;
            send(next);
        }
    }

    /** The next ones, as many as travel in one record. */
    private List<PendingMessage> takeTogether() {
        List<PendingMessage> next = new ArrayList<>();
        int bytes = 0;
        for (PendingMessage first = waiting.peek(); first != null; first = waiting.peek()) {
            bytes += first.bytes();
            boolean fits = next.isEmpty() || (next.size() < MOST_TOGETHER && bytes <= MOST_BYTES_TOGETHER);
            if (!fits || !writer.hasRoomFor(bytes)) break;
            next.add(waiting.remove());
            bytesWaiting -= first.bytes();
        }
        return next;
    }

    private void send(List<PendingMessage> together) {
        for (PendingMessage pending : together) {
            sent.add(pending);
            bytesSent += pending.bytes();
        }
        unanswered.incrementAndGet();
        long acked = sent.element().message.sequence() - 1;
        List<Outgoing> messages =
                together.stream().map(pending -> pending.message).toList();
        writer.messages(from, engine.position(), messages, acked, (metadata, failed) -> {
            if (failed != null) {
                if (failure == null) failure = failed;
            } else if (failure == null) {
                for (PendingMessage pending : together) {
                    pending.appended = true;
                    pending.delivered.run();
                }
            }
            unanswered.decrementAndGet();
        });
    }

    boolean isEmpty() {
        return sent.isEmpty() && waiting.isEmpty() && !moreStored;
    }

    int size() {
        return sent.size() + waiting.size();
    }

    boolean isFailing() {
        return failingSince != null;
    }
}
