package io.floodgate.worker;

import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Fetching;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims jobs for the permits that are free, one fetch after the other. Nobody may interrupt its thread while a fetch is
 * parked: the jobs it brings would be leased to nobody. It ends by itself once the capacity is closed.
 */
final class FetchLoop {
    private static final Logger LOG = LoggerFactory.getLogger(FetchLoop.class);

    private final WorkerConfig config;
    private final Fetching fetching;
    private final Capacity capacity;
    private final Alarms alarms;
    private final Backoff backoff;
    private final WorkerMeters meters;
    private final Consumer<Job> started;
    private int failures;

    FetchLoop(
            WorkerConfig config,
            Fetching fetching,
            Capacity capacity,
            Pace pace,
            WorkerMeters meters,
            Consumer<Job> started) {
        this.config = config;
        this.fetching = fetching;
        this.capacity = capacity;
        this.alarms = pace.alarms();
        this.backoff = pace.backoff();
        this.meters = meters;
        this.started = started;
    }

    void run() {
        Timer wait = meters.claimWait();
        try {
            while (true) {
                Timer.Sample waited = Timer.start();
                int permits = capacity.claim(Fetch.MAX_COUNT);
                if (permits == 0) return;
                waited.stop(wait);
                int used = 0;
                try {
                    used = fetch(permits);
                } finally {
                    capacity.release(permits - used);
                }
                if (failures > 0) pause();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int fetch(int permits) {
        int used = 0;
        try {
            List<byte[]> jobs = fetching.fetch(
                    new Fetch(config.queues(), permits, config.id(), config.visibility(), config.park()));
            failures = 0;
            for (byte[] json : jobs) {
                Job job = Job.read(json);
                used++;
                started.accept(job);
            }
        } catch (CommandFailed | RefusedException | RuntimeException failure) {
            failures++;
            meters.fetchFailures().increment();
            LOG.warn("A fetch from {} failed ({}); trying again.", config.queues(), failure.toString());
        }
        return used;
    }

    private void pause() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        alarms.after(backoff.after(failures), over::countDown);
        over.await();
    }
}
