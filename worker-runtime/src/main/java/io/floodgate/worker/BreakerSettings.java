package io.floodgate.worker;

import java.time.Duration;

/**
 * When a circuit breaker stops trying, and when it tries again.
 *
 * @param failures so many in a row open it; 0 for never
 * @param rest how long it stays open before one try at a time is let through
 * @param successes so many of these tries in a row close it
 */
public record BreakerSettings(int failures, Duration rest, int successes) {
    public BreakerSettings {
        if (failures < 0) throw new IllegalArgumentException("a breaker's failures must be 0 or more, not " + failures);
        if (successes < 1)
            throw new IllegalArgumentException("a breaker's successes must be at least 1, not " + successes);
        if (rest.isNegative() || rest.isZero())
            throw new IllegalArgumentException("a breaker's rest must be longer than nothing, not " + rest);
    }

    /** Of a breaker that never opens. */
    public static BreakerSettings never() {
        return new BreakerSettings(0, Duration.ofSeconds(1), 1);
    }
}
