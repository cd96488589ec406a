package io.floodgate.topics.client;

import java.time.Duration;

/**
 * When commands leave. As long as few do, each does at once; when many do, they leave together from time to time, so that
 * they make few records and few requests. How often depends on how soon Kafka answers: nobody notices the wait beside that.
 */
final class Timetable {
    /** So many leave one by one, between two departures. */
    private static final int FEW = 8;

    private static final long LONGEST = Duration.ofMillis(4).toNanos();
    private static final int SMOOTHING = 8;

    private long began = -LONGEST;
    private long roundTrip;
    private int left;
    private boolean awaited;

    /** Whether so many may leave at once; if not, with the {@linkplain #next next} departure, which must come. */
    synchronized boolean mayLeave(int commands, long now) {
        // While somebody waits for a departure, none may pass unnoticed.
        if (!awaited && now - began >= interval()) depart(now, 0);
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
        return began + interval();
    }

    /** A record has come to its log. */
    synchronized void took(long nanos) {
        roundTrip += (nanos - roundTrip) / SMOOTHING;
    }

    private long interval() {
        return Math.min(LONGEST, roundTrip * 5 / 2);
    }
}
