package io.floodgate.processor.limit;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The stored forms of an allowance, and of what holds jobs under it. */
public final class StoredLimits {
    private StoredLimits() {}

    public static void write(Allowance allowance, BinaryOut out) {
        out.optional(allowance.concurrency());
        write(allowance.rate(), out);
        write(allowance.throttle(), out);
    }

    private static void write(@Nullable Pace pace, BinaryOut out) {
        out.flag(pace != null);
        if (pace != null) out.number(pace.starts()).number(pace.period().toMillis());
    }

    public static Allowance read(BinaryIn in) {
        return new Allowance(in.optionalNumber(), pace(in), pace(in));
    }

    private static @Nullable Pace pace(BinaryIn in) {
        return in.flag() ? new Pace(in.number(), Duration.ofMillis(in.number())) : null;
    }

    public static void write(@Nullable Held held, BinaryOut out) {
        out.flag(held != null);
        if (held != null)
            out.text(held.strategy().wire())
                    .number(held.limit())
                    .number(held.current())
                    .optional(held.until());
    }

    public static @Nullable Held held(BinaryIn in) {
        if (!in.flag()) return null;
        return new Held(
                WireName.parse(Strategy.class, in.text()).orElseThrow(), in.number(), in.number(), in.optionalTime());
    }
}
