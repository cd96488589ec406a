package io.floodgate.gateway.overload;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Jobs that wait in all queues together, looked at once a second, and how fast they become fewer. */
public final class Backlog {
    private static final long FRESH = Duration.ofSeconds(1).toNanos();
    /** Advice when the backlog does not become less. */
    private static final long UNKNOWN_SECONDS = 60;

    private static final long LONGEST_SECONDS = 600;

    private final long limit;
    private final double roomFrom;
    private final LongSupplier jobs;
    private final LongSupplier nanos;
    private long latest;
    private long lookedAt;
    private double fewerPerSecond;

    /**
     * @param limit 0 for none
     * @param thresholds say below which part of it new jobs are let in again
     */
    public Backlog(long limit, LevelHysteresis.Thresholds thresholds, LongSupplier jobs, LongSupplier nanos) {
        this.limit = limit;
        roomFrom = thresholds.jobsAgainAt();
        this.jobs = jobs;
        this.nanos = nanos;
        lookedAt = nanos.getAsLong() - 2 * FRESH;
    }

    public synchronized double saturation() {
        if (limit == 0) return 0;
        long now = nanos.getAsLong();
        if (now - lookedAt >= FRESH) {
            long before = latest;
            latest = jobs.getAsLong();
            fewerPerSecond = (before - latest) * (double) Duration.ofSeconds(1).toNanos() / (now - lookedAt);
            lookedAt = now;
        }
        return (double) latest / limit;
    }

    /** Returns the seconds until new jobs are let in again, at the rate at which the backlog became less last. */
    public synchronized long seconds() {
        long tooMany = latest - Math.round(roomFrom * limit);
        if (tooMany <= 0) return 1;
        return fewerPerSecond <= 0
                ? UNKNOWN_SECONDS
                : Math.clamp((long) Math.ceil(tooMany / fewerPerSecond), 1, LONGEST_SECONDS);
    }
}
