package io.floodgate.topics.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rings at the earliest of very many deadlines. Setting one is a comparison, and none has to be cancelled: the owner of
 * the deadlines looks through them when it rings, and sets the next one. Times are {@link #now()}'s.
 */
final class DeadlineTimer implements AutoCloseable {
    static final long NEVER = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(DeadlineTimer.class);
    private static final long AGAIN = Duration.ofSeconds(1).toNanos();
    private static final long ORIGIN = System.nanoTime();

    private final LongUnaryOperator ring;
    private final AtomicLong next = new AtomicLong(NEVER);
    private final Thread thread;
    private volatile boolean closed;

    /** @param ring handles what is due at the given time, and returns when the next is */
    DeadlineTimer(String name, LongUnaryOperator ring) {
        this.ring = ring;
        thread = Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    /** Nanoseconds since some moment before everything else. */
    static long now() {
        return System.nanoTime() - ORIGIN;
    }

    /** Sets the time at which a look through the deadlines would find this one. */
    void set(long deadline) {
        if (deadline >= next.get()) return;
        next.accumulateAndGet(deadline, Math::min);
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!closed) {
            long now = now();
            long due = next.get();
            if (now < due) {
                LockSupport.parkNanos(this, due - now);
                continue;
            }
            next.set(NEVER); // before looking: what is set from here on counts by itself
            next.accumulateAndGet(ring(now), Math::min);
        }
    }

    private long ring(long now) {
        try {
            return ring.applyAsLong(now);
        } catch (RuntimeException failure) {
            LOG.error("{}: what is due could not all be handled; it is tried again.", thread.getName(), failure);
            return now + AGAIN;
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
