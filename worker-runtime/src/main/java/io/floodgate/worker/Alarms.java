package io.floodgate.worker;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The passing of time, as far as a worker cares: what rings must be brief. */
interface Alarms extends AutoCloseable {
    Alarm after(Duration delay, Runnable ring);

    @FunctionalInterface
    interface Alarm {
        void cancel();
    }

    @Override
    void close();

    static Alarms ofTheSystem() {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("floodgate-worker-alarms").daemon().factory());
        return new Alarms() {
            @Override
            public Alarm after(Duration delay, Runnable ring) {
                Future<?> scheduled = timer.schedule(ring, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> scheduled.cancel(false);
            }

            @Override
            public void close() {
                timer.shutdownNow();
            }
        };
    }
}
