package io.floodgate.topics.circuit;

import java.time.Duration;

/**
 * Settings of a circuit breaker: when it stops trying, and when it tries again.
 *
 * @param failures the number in a row that opens it; 0 for never
 * @param rest how long it stays open before one try at a time is let through
 * @param successes the number of these tries in a row that closes it
 */
public record BreakerSettings(int failures, Duration rest, int successes) {
    private static final Duration LONGEST = Duration.ofDays(365);

    public BreakerSettings {
        if (failures < 0) throw new IllegalArgumentException("a breaker's failures must be 0 or more, not " + failures);
        if (successes < 1)
            throw new IllegalArgumentException("a breaker's successes must be at least 1, not " + successes);
        if (!rest.isPositive() || rest.compareTo(LONGEST) > 0)
            throw new IllegalArgumentException(
                    "a breaker's rest must be longer than nothing, and at most 365 days, not " + rest);
    }

    /** Returns the settings of a breaker that never opens. */
    public static BreakerSettings never() {
        return new BreakerSettings(0, Duration.ofSeconds(1), 1);
    }
}
