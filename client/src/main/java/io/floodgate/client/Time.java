package io.floodgate.client;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The passing of time. What rings must be brief. */
interface Time extends AutoCloseable {
    /** Nanoseconds, since some moment. */
    long now();

    Alarm after(long nanos, Runnable ring);

    @FunctionalInterface
    interface Alarm {
        void cancel();
    }

    @Override
    void close();

    static long nanos(Duration duration) {
        return TimeUnit.NANOSECONDS.convert(duration);
    }

    static Time ofTheSystem() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("floodgate-producer").daemon().factory());
        // Nearly every deadline is cancelled: it must not be kept, with its line, until it would have rung.
        timer.setRemoveOnCancelPolicy(true);
        long origin = System.nanoTime();
        return new Time() {
            @Override
            public long now() {
                return System.nanoTime() - origin;
            }

            @Override
            public Alarm after(long nanos, Runnable ring) {
                Future<?> scheduled = timer.schedule(ring, nanos, TimeUnit.NANOSECONDS);
                return () -> scheduled.cancel(false);
            }

            @Override
            public void close() {
                timer.shutdownNow();
            }
        };
    }
}
