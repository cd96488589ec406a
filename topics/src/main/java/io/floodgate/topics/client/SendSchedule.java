package io.floodgate.topics.client;

import java.time.Duration;

/**
 * Decides when commands leave. As long as few do, each leaves at once; when many do, they leave together from time to
 * time, so that they make few records and few requests.
 */
final class SendSchedule {
    /** The most commands that leave one by one, between two departures. */
    static final int FEW = 12;

    static final long INTERVAL = Duration.ofMillis(2).toNanos();

    private long began = -INTERVAL;
    private int left;
    private boolean awaited;

    /** Returns whether commands may leave at once; if not, they leave at the {@linkplain #next next} departure. */
    synchronized boolean mayLeave(int commands, long now) {
        // While commands wait for a departure, none may pass unnoticed.
        if (!awaited && now >= next()) depart(now, 0);
        awaited |= left >= FEW;
        if (awaited) return false;
        left += commands;
        return true;
    }

    /** Notes that all waiting commands have left. */
    synchronized void depart(long now, int commands) {
        began = now;
        left = commands;
        awaited = false;
    }

    synchronized long next() {
        return began + INTERVAL;
    }
}
