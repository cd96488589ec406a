package io.floodgate.gateway.overload;

import java.time.Duration;

/**
 * How many commands a partition may have before it at the same time, found out by how long they take: one more for each
 * round in which they were quick, a tenth less when they were not. What would only wait in the partition waits at the
 * door instead, where completions pass it and all producers get a fair turn.
 *
 * <p>Quick is what takes less than the target, or twice of what it took at best lately: a partition behind a slow network is not
 * taken for a busy one.
 */
final class AdaptiveLimit {
    /**
     * Least number in flight: with this few, no producer waits long; with fewer, a partition that is slow for other
     * reasons would stop.
     */
    static final int LEAST = 32;

    private static final double DECREASE = 0.9;
    private static final double TOLERANCE = 2;

    /** The best is that of this and the last span: longer than a partition is busy without a moment's rest. */
    private static final long SPAN = Duration.ofMinutes(10).toNanos();

    private final int most;
    private final long target;
    private double limit;
    private long decreasedAt = Long.MIN_VALUE / 2;
    private long spanBegan = Long.MIN_VALUE / 2;
    private long best = Long.MAX_VALUE;
    private long bestBefore = Long.MAX_VALUE;

    /**
     * @param first where it begins
     * @param most it never exceeds that
     */
    AdaptiveLimit(int first, int most, Duration target) {
        this.most = most;
        this.target = target.toNanos();
        limit = first;
    }

    int limit() {
        return (int) limit;
    }

    /**
     * A command was answered.
     *
     * @param inFlight how many there were, with it
     */
    void answered(long roundTrip, int inFlight, long now) {
        remember(roundTrip, now);
        if (roundTrip > slow()) {
            // All that were under way together are slow for the same reason.
            if (now - decreasedAt > roundTrip) {
                limit = Math.max(LEAST, limit * DECREASE);
                decreasedAt = now;
            }
        } else if (inFlight * 2 >= limit) {
            // Unused room says nothing of what would be too much.
            limit = Math.min(most, limit + 1 / limit);
        }
    }

    private void remember(long roundTrip, long now) {
        if (now - spanBegan > SPAN) {
            bestBefore = now - spanBegan > 2 * SPAN ? Long.MAX_VALUE : best;
            best = Long.MAX_VALUE;
            spanBegan = now;
        }
        best = Math.min(best, roundTrip);
    }

    private double slow() {
        return Math.max((double) target, TOLERANCE * (double) Math.min(best, bestBefore));
    }
}
