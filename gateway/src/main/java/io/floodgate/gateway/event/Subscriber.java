package io.floodgate.gateway.event;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Events on their way to one reader: a few at most, for a reader that does not keep up must not hold up anyone. */
final class Subscriber {
    private static final int CAPACITY = 1_024;
    /** How many events were dropped, over all subscribers there have been. */
    static final LongAdder DROPPED = new LongAdder();

    private final EventFilter filter;
    private final BlockingQueue<Event> waiting = new ArrayBlockingQueue<>(CAPACITY);
    private volatile boolean ended;

    Subscriber(EventFilter filter) {
        this.filter = filter;
    }

    void offer(Event event) {
        if (filter.lets(event) && !waiting.offer(event)) DROPPED.increment();
    }

    /** The next event, or null when none came in time. */
    @Nullable
    Event next(Duration patience) throws InterruptedException {
        return waiting.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }
}
