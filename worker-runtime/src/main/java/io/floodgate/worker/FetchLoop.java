package io.floodgate.worker;

import io.floodgate.topics.client.Cancellation;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Fetching;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims jobs for the permits that are free, one fetch after the other. It ends by itself once the capacity is closed; a
 * fetch that waits then, or while the worker is quiet, is to be withdrawn.
 */
final class FetchLoop {
    private static final Logger LOG = LoggerFactory.getLogger(FetchLoop.class);

    private final WorkerConfig config;
    private final Fetching fetching;
    private final Capacity capacity;
    private final Alarms alarms;
    private final Backoff backoff;
    private final WorkerMeters meters;
    private final Reporter reporter;
    private final Consumer<Job> started;
    private volatile Cancellation current = new Cancellation();
    private int failures;

    FetchLoop(
            WorkerConfig config,
            Fetching fetching,
            Capacity capacity,
            Pace pace,
            WorkerMeters meters,
            Reporter reporter,
            Consumer<Job> started) {
        this.config = config;
        this.fetching = fetching;
        this.capacity = capacity;
        this.alarms = pace.alarms();
        this.backoff = pace.backoff();
        this.meters = meters;
        this.reporter = reporter;
        this.started = started;
    }

    void run() {
        Timer wait = meters.claimWait();
        try {
            while (true) {
                // Before the claim: whoever withdraws after it means this fetch.
                Cancellation cancellation = new Cancellation();
                current = cancellation;
                Timer.Sample waited = Timer.start();
                int permits = capacity.claim(Fetch.MAX_COUNT);
                if (permits == 0) return;
                waited.stop(wait);
                int used = 0;
                try {
                    used = fetch(permits, cancellation);
                } finally {
                    capacity.release(permits - used);
                }
                if (failures > 0) pause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the fetch that waits. */
    void withdraw() {
        current.cancel();
    }

    /** How many permits are in use now. */
    private int fetch(int permits, Cancellation cancellation) {
        long began = System.nanoTime();
        List<byte[]> jobs;
        try {
            Fetch fetch = new Fetch(config.queues(), permits, config.id(), config.visibility(), config.park());
            jobs = fetching.fetch(fetch, cancellation);
        } catch (CommandFailed | RefusedException | RuntimeException failure) {
            failures++;
            meters.fetchFailures().increment();
            LOG.warn("A fetch from {} failed ({}); trying again.", config.queues(), failure.toString());
            return 0;
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        // A log that has no room for those who wait sends them away at once.
        boolean turnedAway = jobs.isEmpty()
                && !cancellation.isCancelled()
                && took.compareTo(config.park().dividedBy(2)) < 0;
        failures = turnedAway ? failures + 1 : 0;
        int used = 0;
        for (byte[] json : jobs) if (start(json)) used++;
        return used;
    }

    /** False for a job that cannot be read: it fails for good, and the others run. */
    private boolean start(byte[] json) {
        Job job;
        try {
            job = Job.read(json);
        } catch (RuntimeException unreadable) {
            meters.unreadableJobs().increment();
            LOG.warn("A job cannot be read: {}", unreadable.toString());
            UnreadableJobs.report(json, unreadable, reporter);
            return false;
        }
        started.accept(job);
        return true;
    }

    private void pause() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        alarms.after(backoff.after(failures), over::countDown);
        over.await();
    }
}
