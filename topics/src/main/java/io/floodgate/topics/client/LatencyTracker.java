package io.floodgate.topics.client;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Tracks how far a partition is behind, as far as its requesters can see: in records, and in time. */
public final class LatencyTracker {
    /** Time for which a measurement is fresh. */
    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    private static final int SMOOTHING = 16;

    private record Measured(long roundTrip, long at) {}

    private final LongSupplier nanos;
    /** Commands that are in the partition and wait to be executed. */
    private int waiting;

    private long appended = -1;
    private long carriedOut = -1;
    private volatile Measured latest;

    LatencyTracker(LongSupplier nanos) {
        this.nanos = nanos;
        latest = new Measured(0, nanos.getAsLong() - 2 * FRESH);
    }

    /** The partition has a command at this offset that is to be executed. */
    synchronized void appended(long offset) {
        // Records before the only one that waits may come from any client, and may long be executed.
        if (waiting++ == 0) carriedOut = Math.max(carriedOut, offset - 1);
        appended = Math.max(appended, offset);
    }

    /** Notes that no caller waits any more for a command that was {@linkplain #appended appended}. */
    synchronized void abandoned() {
        waiting--;
    }

    /** The command at this offset was {@linkplain #appended appended} and is executed, and so is all before it. */
    synchronized void carriedOut(long offset) {
        waiting--;
        carriedOut = Math.max(carriedOut, offset);
    }

    /** A command that does not wait in the partition was answered after this round trip. */
    void took(long roundTrip) {
        long now = nanos.getAsLong();
        Measured before = latest;
        long known = now - before.at <= FRESH ? before.roundTrip : 0;
        // One that took long says little, even if it is the first for a while: it may be a reset, or have waited for a
        // start.
        latest = new Measured(known + (roundTrip - known) / SMOOTHING, now);
    }

    /** Records from the first command that waits to the last, as far as is known. */
    public synchronized long recordsBehind() {
        return waiting == 0 ? 0 : Math.max(0, appended - carriedOut);
    }

    /** Returns about how long commands take that are answered now. */
    public Duration roundTrip() {
        Measured last = latest;
        return nanos.getAsLong() - last.at > FRESH ? Duration.ZERO : Duration.ofNanos(last.roundTrip);
    }
}
