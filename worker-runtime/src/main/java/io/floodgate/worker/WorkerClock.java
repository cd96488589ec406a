package io.floodgate.worker;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The passing of time, as far as a worker cares: what rings must be brief. */
interface WorkerClock extends AutoCloseable {
    Alarm after(Duration delay, Runnable ring);

    /** Returns the time since some moment or other. */
    Duration now();

    @FunctionalInterface
    interface Alarm {
        void cancel();
    }

    @Override
    void close();

    static WorkerClock ofTheSystem() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("floodgate-worker-alarms").daemon().factory());
        // Nearly every time-out of a handler is cancelled: it must not be kept until it would have rung.
        timer.setRemoveOnCancelPolicy(true);
        return new WorkerClock() {
            @Override
            public Alarm after(Duration delay, Runnable ring) {
                Future<?> scheduled = timer.schedule(ring, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> scheduled.cancel(false);
            }

            @Override
            public Duration now() {
                return Duration.ofNanos(System.nanoTime());
            }

            @Override
            public void close() {
                timer.shutdownNow();
            }
        };
    }
}
