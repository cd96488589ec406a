package io.floodgate.gateway.overload;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Maps how full something is to a {@link Level}. Up at once; down one level at a time, only after a while clearly
 * below, so that the level does not flap at a threshold.
 */
public final class LevelHysteresis {
    /** Distance below a threshold that ends a level. */
    private static final double MARGIN = 0.05;

    /**
     * Thresholds of the levels, from 0 to 1, as parts of a limit.
     *
     * @param warn operators are warned
     * @param rejectJobs new jobs are rejected
     * @param rejectWrites all writes are rejected but completions
     */
    public record Thresholds(double warn, double rejectJobs, double rejectWrites) {
        public static final Thresholds DEFAULT = new Thresholds(0.70, 0.85, 0.95);

        public Thresholds {
            if (!(warn > MARGIN && warn <= rejectJobs && rejectJobs <= rejectWrites && rejectWrites <= 1))
                throw new IllegalArgumentException("thresholds must rise from above 0.05 to 1 at most, not %s, %s, %s"
                        .formatted(warn, rejectJobs, rejectWrites));
        }

        /** The same, but that new jobs are rejected from there on at the latest. */
        Thresholds rejectingJobsAt(double latest) {
            return rejectJobs <= latest ? this : new Thresholds(Math.min(warn, latest), latest, rejectWrites);
        }

        /** New jobs are let in again below that. */
        double jobsAgainAt() {
            return rejectJobs - MARGIN;
        }

        private double of(Level level) {
            return switch (level) {
                case NORMAL -> 0;
                case WARNING -> warn;
                case CRITICAL -> rejectJobs;
                case OVERFLOW -> rejectWrites;
            };
        }
    }

    /** Time below a threshold that ends a level. */
    static final Duration CALM = Duration.ofSeconds(1);

    private final Thresholds thresholds;
    private final LongSupplier nanos;
    private Level level = Level.NORMAL;
    private long lastReached;

    /** @param nanos a clock like {@code System.nanoTime()} */
    LevelHysteresis(Thresholds thresholds, LongSupplier nanos) {
        this.thresholds = thresholds;
        this.nanos = nanos;
    }

    synchronized Level look(double saturation) {
        for (Level higher : Level.values())
            if (higher.compareTo(level) > 0 && saturation >= thresholds.of(higher)) level = higher;
        long now = nanos.getAsLong();
        if (saturation >= thresholds.of(level) - MARGIN) lastReached = now;
        if (now - lastReached >= CALM.toNanos()) {
            level = level.below();
            lastReached = now;
        }
        return level;
    }
}
