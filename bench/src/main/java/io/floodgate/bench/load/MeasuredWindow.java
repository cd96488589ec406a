package io.floodgate.bench.load;

import java.time.Duration;

/** The time that is measured, in {@code System.nanoTime()}: after the warm-up, before the end. */
public record MeasuredWindow(long start, long end) {
    public static MeasuredWindow after(long now, Plan plan) {
        long start = now + plan.warmup().toNanos();
        return new MeasuredWindow(start, start + plan.measured().toNanos());
    }

    public boolean contains(long nanos) {
        return nanos - start >= 0 && nanos - end < 0;
    }

    public boolean isOver(long nanos) {
        return nanos - end >= 0;
    }

    public Duration length() {
        return Duration.ofNanos(end - start);
    }
}
