package io.floodgate.gateway.overload;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Jobs that wait in all queues together, looked at once a second, and how fast they become fewer. */
public final class Backlog {
    private static final long FRESH = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_SECONDS = 60;

    private final long limit;
    private final LongSupplier jobs;
    private final LongSupplier nanos;
    private long latest;
    private long lookedAt;
    private double fewerPerSecond;

    /** @param limit 0 for none */
    public Backlog(long limit, LongSupplier jobs, LongSupplier nanos) {
        this.limit = limit;
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

    /** Until a tenth of the limit is free, at the rate at which it became less last. */
    public synchronized long seconds() {
        double tooMany = latest - 0.9 * limit;
        if (tooMany <= 0) return 1;
        return fewerPerSecond <= 0
                ? LONGEST_SECONDS
                : Math.clamp((long) (tooMany / fewerPerSecond), 1, LONGEST_SECONDS);
    }
}
