package io.floodgate.topics.client;

import java.time.Duration;

/**
 * When commands leave. As long as few do, each does at once; when many do, they leave together from time to time, so that
 * they make few records and few requests.
 */
final class SendSchedule {
    /** The most commands that leave one by one, between two departures. */
    static final int FEW = 12;

    static final long INTERVAL = Duration.ofMillis(2).toNanos();

    private long began = -INTERVAL;
    private int left;
    private boolean awaited;

    /** Whether the commands may leave at once; if not, with the {@linkplain #next next} departure, which must come. */
    synchronized boolean mayLeave(int commands, long now) {
        // While commands wait for a departure, none may pass unnoticed.
        if (!awaited && now >= next()) depart(now, 0);
        awaited |= left >= FEW;
        if (awaited) return false;
        left += commands;
        return true;
    }

    /** All that were there have left. */
    synchronized void depart(long now, int commands) {
        began = now;
        left = commands;
        awaited = false;
    }

    synchronized long next() {
        return began + INTERVAL;
    }
}
