package io.floodgate.topics.limit;

import io.floodgate.topics.json.JsonOut;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limits of jobs that share a key: how many may run, and how fast they may start (OJS rate limiting §5); a null
 * member is not limited.
 *
 * @param concurrency active jobs at most; none may run if zero
 * @param rate starts at most in any interval of its period
 * @param throttle starts, evenly spaced
 */
public record Allowance(
        @Nullable Long concurrency,
        @Nullable Pace rate,
        @Nullable Pace throttle) {
    public static final Allowance UNLIMITED = new Allowance(null, null, null);

    /** Names of its members on the wire. */
    public static final Set<String> NAMES = Set.of("concurrency", "rate", "throttle");

    public static final long MOST_CONCURRENCY = 1_000_000_000;

    public boolean isUnlimited() {
        return equals(UNLIMITED);
    }

    /** Returns whether it limits how fast jobs start. */
    public boolean isPaced() {
        return rate != null || throttle != null;
    }

    /** Returns this allowance over another one, member by member. */
    public Allowance over(Allowance other) {
        return new Allowance(
                concurrency == null ? other.concurrency : concurrency,
                rate == null ? other.rate : rate,
                throttle == null ? other.throttle : throttle);
    }

    /** @param names those of the wire */
    public Allowance without(Set<String> names) {
        return new Allowance(
                names.contains("concurrency") ? null : concurrency,
                names.contains("rate") ? null : rate,
                names.contains("throttle") ? null : throttle);
    }

    /** The members of a JSON object. */
    public void write(JsonOut out) {
        out.optional("concurrency", concurrency);
        if (rate != null) rate.write("rate", out);
        if (throttle != null) throttle.write("throttle", out);
    }
}
