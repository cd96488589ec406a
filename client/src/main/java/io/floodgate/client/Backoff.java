package io.floodgate.client;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long to wait after one failure more: as the server says, but at least twice as long as the last time, up to a bound
 * (OJS backpressure §8.1). The chance comes on top, so that nobody is earlier than asked for and not all come together.
 */
final class Backoff {
    private static final double SPREAD = 0.25;

    private final long longest;
    private final DoubleSupplier chance;
    private long last;

    /** @param chance from 0 to 1 */
    Backoff(Duration longest, DoubleSupplier chance) {
        this.longest = Time.nanos(longest);
        this.chance = chance;
    }

    /** In nanoseconds. */
    long next(Duration asked) {
        long wanted = Math.max(Time.nanos(asked), 2 * last);
        last = Math.max(Math.min(wanted, longest), Time.nanos(asked));
        return last + (long) (last * SPREAD * chance.getAsDouble());
    }

    void reset() {
        last = 0;
    }
}
