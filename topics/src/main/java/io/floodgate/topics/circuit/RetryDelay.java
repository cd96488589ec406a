package io.floodgate.topics.circuit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * Computes delays between tries: at least as long as was asked for, and twice as long as the last time, up to a bound.
 * A random part comes on top, so that no client is early and clients that failed together do not return together.
 */
public final class RetryDelay {
    private final Duration first;
    private final long longest;
    private final double spread;
    private final DoubleSupplier chance;
    private long last;

    /**
     * @param first the wait after the first failure
     * @param longest unless more is asked for
     * @param spread the part of a wait that chance may add
     * @param chance from 0 to 1
     */
    public RetryDelay(Duration first, Duration longest, double spread, DoubleSupplier chance) {
        this.first = first;
        this.longest = nanos(longest);
        this.spread = spread;
        this.chance = chance;
    }

    public Duration next() {
        return next(first);
    }

    public Duration next(Duration asked) {
        long least = nanos(asked);
        last = Math.max(Math.min(Math.max(least, 2 * last), longest), least);
        return Duration.ofNanos(last + (long) (last * spread * chance.getAsDouble()));
    }

    /** Resets the delay after a success: the next failure is the first. */
    public void reset() {
        last = 0;
    }

    private static long nanos(Duration duration) {
        return Math.min(TimeUnit.NANOSECONDS.convert(duration), Long.MAX_VALUE / 4);
    }
}
