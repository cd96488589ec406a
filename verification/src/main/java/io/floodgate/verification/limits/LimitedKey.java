package io.floodgate.verification.limits;

import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rate limit under test.
 *
 * @param name the end of its key
 * @param work how long a worker takes for a job of the key before it acks
 */
record LimitedKey(String name, Allowance allowance, Duration work) {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Limits that one machine can keep busy all at once. */
    static List<LimitedKey> slow() {
        return List.of(
                rate("rate-10", 10, SECOND),
                rate("rate-100", 100, SECOND),
                rate("rate-40-in-4", 40, Duration.ofSeconds(4)),
                new LimitedKey("throttle-20", new Allowance(null, null, new Pace(20, SECOND)), Duration.ZERO),
                new LimitedKey("throttle-100", new Allowance(null, null, new Pace(100, SECOND)), Duration.ZERO),
                new LimitedKey("few-and-30", new Allowance(3L, new Pace(30, SECOND), null), Duration.ofMillis(40)));
    }

    /** A limit that takes most of a machine. */
    static List<LimitedKey> fast() {
        return List.of(rate("rate-5000", 5_000, SECOND));
    }

    private static LimitedKey rate(String name, long starts, Duration period) {
        return new LimitedKey(name, new Allowance(null, new Pace(starts, period), null), Duration.ZERO);
    }

    /** Starts per second that its rate and its throttle permit. */
    double startsPerSecond() {
        return Math.min(perSecond(allowance.rate()), perSecond(allowance.throttle()));
    }

    private static double perSecond(@Nullable Pace pace) {
        return pace == null
                ? Double.MAX_VALUE
                : pace.starts() * 1_000.0 / pace.period().toMillis();
    }
}
