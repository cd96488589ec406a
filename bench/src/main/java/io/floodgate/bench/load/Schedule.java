package io.floodgate.bench.load;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Times at which the operations of an open loop are due. They are due whether or not a caller is free to start them, and
 * latencies count from then: a server that stalls is charged for each operation that was due meanwhile, not only for those that
 * were started (no coordinated omission).
 */
public final class Schedule {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long start;
    private final double interval;
    private final AtomicLong taken = new AtomicLong();

    public Schedule(long start, double ratePerSecond) {
        this.start = start;
        this.interval = NANOS_PER_SECOND / ratePerSecond;
    }

    /** Takes the next operation; returns when it is due. */
    public long next() {
        return due(taken.getAndIncrement());
    }

    /** Returns how many operations that were due before {@code end} were not taken. */
    public long missedBefore(long end) {
        long all = (long) Math.ceil((end - start) / interval);
        return Math.max(0, all - taken.get());
    }

    /** Multiplies instead of adding up: the rate must not drift. */
    long due(long number) {
        return start + (long) (number * interval);
    }
}
