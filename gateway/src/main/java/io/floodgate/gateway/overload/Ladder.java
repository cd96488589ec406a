package io.floodgate.gateway.overload;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * From how full something is to a {@link Level}. Up at once; down, one level at a time, only when it has been clearly below for
 * a while, so that whoever is at a threshold does not waver.
 */
public final class Ladder {
    /** So far below a threshold it has to be. */
    private static final double MARGIN = 0.05;

    /**
     * From which part of what may be there on, from 0 to 1.
     *
     * @param warn operators are told
     * @param refuseJobs new jobs are refused
     * @param refuseWrites all writes are refused but completions
     */
    public record Thresholds(double warn, double refuseJobs, double refuseWrites) {
        public static final Thresholds DEFAULT = new Thresholds(0.70, 0.85, 0.95);

        public Thresholds {
            if (!(warn > MARGIN && warn <= refuseJobs && refuseJobs <= refuseWrites && refuseWrites <= 1))
                throw new IllegalArgumentException("thresholds must rise from above 0.05 to 1 at most, not %s, %s, %s"
                        .formatted(warn, refuseJobs, refuseWrites));
        }

        /** The same, but that new jobs are refused from there on at the latest. */
        Thresholds refusingJobsAt(double latest) {
            return refuseJobs <= latest ? this : new Thresholds(Math.min(warn, latest), latest, refuseWrites);
        }

        /** New jobs are let in again below that. */
        double jobsAgainAt() {
            return refuseJobs - MARGIN;
        }

        private double of(Level level) {
            return switch (level) {
                case NORMAL -> 0;
                case WARNING -> warn;
                case CRITICAL -> refuseJobs;
                case OVERFLOW -> refuseWrites;
            };
        }
    }

    /** So long it has to be below. */
    static final Duration CALM = Duration.ofSeconds(1);

    private final Thresholds thresholds;
    private final LongSupplier nanos;
    private Level level = Level.NORMAL;
    private long lastReached;

    /** @param nanos a clock like {@code System.nanoTime()} */
    Ladder(Thresholds thresholds, LongSupplier nanos) {
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
