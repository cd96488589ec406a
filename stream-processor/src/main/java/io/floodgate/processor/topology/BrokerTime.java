package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.PartitionTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * What time it is, as one may know it from records: that of this machine, but not before a time that was seen in the last
 * record. So a clock of this machine that is behind holds up nothing that is due. Not for several threads at a time.
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

    /** What the broker would stamp a record with. */
    Instant stamp() {
        return notBefore(stamped);
    }

    /** What is likely to be true, whatever the broker says. */
    Instant truth() {
        return notBefore(believed);
    }

    private Instant notBefore(Instant seen) {
        Instant own = clock.instant();
        Instant since = seen.plus(Duration.ofNanos(nanos.getAsLong() - seenAt));
        return own.isAfter(since) ? own : since;
    }
}
