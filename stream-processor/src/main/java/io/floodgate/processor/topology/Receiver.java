package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.log.LogEngine;
import io.floodgate.topics.LogId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of one log to another one, in their order. What cannot be appended is sent again, with all that came
 * after it, for as long as it takes; only what is for this receiver waits meanwhile.
 *
 * <p>Everything runs on the stream thread but what a producer calls when an append has ended.
 */
final class Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

    /** What may be on its way at once. A receiver remembers more messages than that, to tell repetitions. */
    private static final int MOST_UNDER_WAY = 1_000;

    private static final long MOST_BYTES_UNDER_WAY = 1024 * 1024;
    /** What is kept in memory for a receiver that is slow or gone. The rest is in the outbox. */
    private static final int MOST_WAITING = 1_000;

    private static final long MOST_BYTES_WAITING = 4 * 1024 * 1024;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final class Letter {
        private final Outgoing message;
        private final Runnable delivered;
        private volatile boolean appended;

        private Letter(Outgoing message, Runnable delivered) {
            this.message = message;
            this.delivered = delivered;
        }

        private int bytes() {
            return message.value().length;
        }
    }

    private final LogId from;
    private final LogId to;
    private final LogEngine engine;
    private final LogWriter writer;
    private final Clock clock;
    private final Deque<Letter> waiting = new ArrayDeque<>();
    private final Deque<Letter> sent = new ArrayDeque<>();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile @Nullable Exception failure;
    private long bytesWaiting;
    private long bytesSent;
    private boolean moreStored;
    private long last;
    private @Nullable Instant failingSince;
    private Instant retryAt = Instant.MIN;

    Receiver(LogId from, LogId to, LogEngine engine, LogWriter writer, Clock clock) {
        this.from = from;
        this.to = to;
        this.engine = engine;
        this.writer = writer;
        this.clock = clock;
    }

    /** Begins with what an earlier owner of the log, or an earlier life, has left. */
    void load() {
        List<Outgoing> slice = engine.unsent(to, last, MOST_WAITING, MOST_BYTES_WAITING);
        moreStored = !slice.isEmpty();
        for (Outgoing message : slice) accept(message, () -> {});
    }

    /** @param delivered runs once the message stands in its log; perhaps never */
    void add(Outgoing message, Runnable delivered) {
        if (!moreStored && waiting.size() < MOST_WAITING && bytesWaiting < MOST_BYTES_WAITING)
            accept(message, delivered);
        else moreStored = true;
    }

    private void accept(Outgoing message, Runnable delivered) {
        Letter letter = new Letter(message, delivered);
        waiting.add(letter);
        bytesWaiting += letter.bytes();
        last = message.sequence();
    }

    /** Forgets what has been appended, and sends what may be sent now. */
    void tidy() {
        for (Letter letter = sent.peek(); letter != null && letter.appended; letter = sent.peek()) {
            engine.appended(to, letter.message.sequence());
            bytesSent -= letter.bytes();
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
        for (Letter letter = sent.pollLast(); letter != null; letter = sent.pollLast()) {
            waiting.addFirst(letter);
            bytesWaiting += letter.bytes();
        }
        bytesSent = 0;
        failure = null;
        retryAt = clock.instant().plus(PAUSE);
        if (failingSince != null) return;
        failingSince = clock.instant();
        LOG.warn(
                "Messages of log {} to log {} cannot be appended ({}). They wait, and are tried again every {} s.",
                from,
                to,
                failed.toString(),
                PAUSE.toSeconds());
    }

    private void recovered() {
        if (failingSince == null) return;
        LOG.info(
                "Messages of log {} to log {} are appended again; they could not be since {}.", from, to, failingSince);
        failingSince = null;
    }

    private void sendWaiting() {
        while (sent.size() < MOST_UNDER_WAY && bytesSent < MOST_BYTES_UNDER_WAY) {
            if (waiting.isEmpty() && moreStored) load();
            Letter letter = waiting.peek();
            if (letter == null || !writer.hasRoomFor(letter.bytes())) return;
            waiting.remove();
            bytesWaiting -= letter.bytes();
            send(letter);
        }
    }

    private void send(Letter letter) {
        sent.add(letter);
        bytesSent += letter.bytes();
        unanswered.incrementAndGet();
        long acked = sent.element().message.sequence() - 1;
        writer.message(from, letter.message, acked, (metadata, failed) -> {
            if (failed != null) {
                if (failure == null) failure = failed;
            } else if (failure == null) {
                letter.appended = true;
                letter.delivered.run();
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
