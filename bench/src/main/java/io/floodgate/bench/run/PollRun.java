package io.floodgate.bench.run;

import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Measurement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How soon a job starts whose worker does not wait: one loop that fetches without {@code wait_ms}, as the SDKs do. When there
 * was nothing it sleeps for a second; when there was something it runs it, and fetches again at once.
 */
public final class PollRun {
    private static final Duration SLEEP = Duration.ofSeconds(1);

    private PollRun() {}

    /** @param between on average, from one job to the next; they come one by one, at random times */
    public static Measurement run(Settings given, int count, Duration between) throws Exception {
        Settings settings = given.lasting(between.multipliedBy(count));
        JobBodies jobs = settings.jobs("-poll");
        String how = "enqueue to start, one worker that fetches without wait_ms and sleeps 1 s when there is nothing;"
                + " a job every %d ms on average".formatted(between.toMillis());
        Load load = settings.load(1);
        Handoffs handoffs = new Handoffs(load);
        Poller poller = new Poller(new HttpWorker(settings.connect(), "bench-poller"), jobs, handoffs, load);
        try {
            Measurement sending = load.onThreads(
                    "sending",
                    how,
                    "jobs",
                    caller -> new AtRandom(new EnqueueOne(settings.connect(), jobs, handoffs), between));
            return handoffs.measured("poll", how, sending);
        } finally {
            poller.stop();
        }
    }

    /** Exponential: the time that has passed says nothing about the time to come. */
    private record AtRandom(EnqueueOne sending, Duration between) implements LoadOperation {
        @Override
        public int run(long due) throws Exception {
            double pause = -Math.log(1 - ThreadLocalRandom.current().nextDouble()) * between.toNanos();
            long at = due + (long) pause;
            for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime())
                LockSupport.parkNanos(left);
            return sending.run(at);
        }

        @Override
        public void close() {
            sending.close();
        }
    }

    private static final class Poller {
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final Thread thread;

        Poller(HttpWorker worker, JobBodies jobs, Handoffs handoffs, Load load) {
            thread = Thread.ofPlatform().daemon().start(() -> {
                try (worker) {
                    poll(worker, jobs, handoffs, load);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        private void poll(HttpWorker worker, JobBodies jobs, Handoffs handoffs, Load load) throws InterruptedException {
            boolean hadSome = true;
            while (hadSome ? stopped.getCount() > 0 : !stopped.await(SLEEP.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    hadSome = worker.takeOne(jobs, Duration.ZERO, handoffs);
                } catch (Exception failure) {
                    hadSome = false;
                    load.errors().add(failure);
                }
            }
        }

        void stop() throws InterruptedException {
            stopped.countDown();
            thread.join();
        }
    }
}
