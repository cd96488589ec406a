package io.floodgate.topics.client;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** How far a log is behind what is asked of it, as far as those who ask can see: in records, and in time. */
public final class Pulse {
    /** So long what was measured says something of now. */
    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    private static final int SMOOTHING = 16;

    private record Measured(long roundTrip, long at) {}

    private final LongSupplier nanos;
    private final AtomicLong appended = new AtomicLong(-1);
    private final AtomicLong answered = new AtomicLong(-1);
    private volatile Measured latest;

    Pulse(LongSupplier nanos) {
        this.nanos = nanos;
        latest = new Measured(0, nanos.getAsLong() - 2 * FRESH);
    }

    /** The log has a command at this offset that is to be carried out. */
    void appended(long offset) {
        appended.accumulateAndGet(offset, Math::max);
    }

    /** The command at this offset is carried out, and all before it. */
    void answered(long offset) {
        answered.accumulateAndGet(offset, Math::max);
    }

    /** A command that does not wait in the log was answered after so long. */
    void took(long roundTrip) {
        long now = nanos.getAsLong();
        Measured before = latest;
        boolean fresh = now - before.at <= FRESH;
        // One that took long says little; many do.
        latest = new Measured(fresh ? before.roundTrip + (roundTrip - before.roundTrip) / SMOOTHING : roundTrip, now);
    }

    public long recordsBehind() {
        return Math.max(0, appended.get() - answered.get());
    }

    /** How long commands take that are answered just now, about. */
    public Duration roundTrip() {
        Measured last = latest;
        return nanos.getAsLong() - last.at > FRESH ? Duration.ZERO : Duration.ofNanos(last.roundTrip);
    }
}
