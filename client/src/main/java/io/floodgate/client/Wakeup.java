package io.floodgate.client;

import org.jspecify.annotations.Nullable;

/** One alarm, always at the earliest requested time. Its user guards it by a lock. */
final class Wakeup {
    private static final long NEVER = Long.MAX_VALUE;

    private final Time time;
    private final Runnable ring;
    private long rings = NEVER;
    private Time.@Nullable Alarm alarm;

    Wakeup(Time time, Runnable ring) {
        this.time = time;
        this.ring = ring;
    }

    /** Wakes in this many nanoseconds, or earlier. */
    void within(long nanos) {
        long at = time.now() + nanos;
        if (at >= rings) return;
        if (alarm != null) alarm.cancel();
        rings = at;
        alarm = time.after(nanos, ring);
    }

    /** Notes a look; to be called by a thread that was woken, or has looked for another reason. */
    void looked() {
        if (rings <= time.now()) {
            rings = NEVER;
            alarm = null;
        }
    }

    void cancel() {
        if (alarm != null) alarm.cancel();
        rings = NEVER;
        alarm = null;
    }
}
