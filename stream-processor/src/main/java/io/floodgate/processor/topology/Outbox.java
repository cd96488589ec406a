package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.log.LogEngine;
import io.floodgate.topics.LogId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.streams.errors.StreamsException;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages of one log to others. A message is deleted once it is appended; when one cannot be, everything stops
 * here and starts again from what is stored, so that order and numbers stay without gaps.
 */
final class Outbox {
    private final LogId log;
    private final LogEngine engine;
    private final LogWriter writer;
    private final Queue<Outgoing> appended = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Exception failure;
    private int underWay;

    Outbox(LogId log, LogEngine engine, LogWriter writer) {
        this.log = log;
        this.engine = engine;
        this.writer = writer;
        send(engine.unsent(), () -> {});
    }

    /** @param then runs once all of them stand in their logs, at once if there are none; not at all if one cannot */
    void send(List<Outgoing> messages, Runnable then) {
        if (messages.isEmpty()) then.run();
        underWay += messages.size();
        AtomicInteger left = new AtomicInteger(messages.size());
        for (Outgoing message : messages)
            writer.message(log, message, (metadata, failed) -> {
                if (failed != null) failure = failed;
                if (failure != null) return;
                appended.add(message);
                if (left.decrementAndGet() == 0) then.run();
            });
    }

    /** Deletes what is appended by now; to be called on the stream thread. */
    void tidy() {
        Exception failed = failure;
        if (failed != null)
            throw new StreamsException("a message of log %s could not be appended".formatted(log), failed);
        for (Outgoing message = appended.poll(); message != null; message = appended.poll()) {
            engine.appended(message.to(), message.sequence());
            underWay--;
        }
    }

    /** Whether every message is appended and deleted. */
    boolean isEmpty() {
        return underWay == 0;
    }
}
