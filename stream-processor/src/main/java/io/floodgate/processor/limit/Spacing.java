package io.floodgate.processor.limit;

import io.floodgate.topics.limit.Pace;
import java.time.Duration;
import java.time.Instant;

/** The distance between starts under a throttle, in microseconds. */
final class Spacing {
    /** Shortest spacing at which each start has to be known before the next one may come. */
    private static final long EVEN_US = 20_000;

    static final Duration SHORT_WHILE = Duration.ofMillis(250);

    private Spacing() {}

    static long of(Pace throttle) {
        return Math.ceilDiv(throttle.period().toMillis() * 1_000, throttle.starts());
    }

    static boolean isEven(Pace throttle) {
        return of(throttle) >= EVEN_US;
    }

    /** Returns the starts that are allowed within 250 ms. */
    static Pace shortWhile(Pace throttle) {
        return new Pace(SHORT_WHILE.toMillis() * 1_000 / of(throttle) + 1, SHORT_WHILE);
    }

    static long micros(Instant time) {
        return time.toEpochMilli() * 1_000;
    }
}
