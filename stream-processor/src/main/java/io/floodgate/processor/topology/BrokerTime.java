package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.PartitionTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The time of the broker as far as records show it: that of this machine, but not before the time of the last record.
 * So a clock of this machine that is behind holds up no timer. It is not thread-safe.
 */
final class BrokerTime {
    private final Clock clock;
    private final LongSupplier nanos;
    private Instant stamped = Instant.EPOCH;
    private Instant believed = Instant.EPOCH;
    private long seenAt;

    /** @param nanos goes on evenly, however the clock is set */
    BrokerTime(Clock clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
    }

    /**
     * A record was executed.
     *
     * @param appended by the broker's clock
     * @param asBelieved the same, if that clock is right
     */
    void saw(Instant appended, Instant asBelieved) {
        if (appended.equals(PartitionTime.UNKNOWN)) return;
        stamped = appended;
        believed = asBelieved;
        seenAt = nanos.getAsLong();
    }

    /** Returns the time with which the broker would stamp a record. */
    Instant stamp() {
        return notBefore(stamped);
    }

    /** Returns the most likely time, whatever the broker says. */
    Instant truth() {
        return notBefore(believed);
    }

    private Instant notBefore(Instant seen) {
        Instant own = clock.instant();
        Instant since = seen.plus(Duration.ofNanos(nanos.getAsLong() - seenAt));
        return own.isAfter(since) ? own : since;
    }
}
