package io.floodgate.processor.limit;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The stored form of an allowance. */
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
}
