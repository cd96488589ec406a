package io.floodgate.bench.load;

import java.time.Duration;

/**
 * How to load.
 *
 * @param callers how many do it at the same time
 * @param rate operations per second that are due, whatever the server does (an open loop); 0 for a closed loop, where
 *     each caller starts its next operation when the last one is done
 */
public record Plan(Duration warmup, Duration measured, int callers, double rate) {
    public Plan {
        if (callers < 1) throw new IllegalArgumentException("at least one caller is needed");
        if (rate < 0) throw new IllegalArgumentException("a rate cannot be negative");
    }

    public static Plan closed(Duration warmup, Duration measured, int callers) {
        return new Plan(warmup, measured, callers, 0);
    }

    public boolean isOpen() {
        return rate > 0;
    }
}
