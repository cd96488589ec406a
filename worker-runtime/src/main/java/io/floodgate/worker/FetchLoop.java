package io.floodgate.worker;

import io.floodgate.topics.Routing;
import io.floodgate.topics.circuit.RetryDelay;
import io.floodgate.topics.client.Cancellation;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Fetching;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.QueueCommand.Fetch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims jobs for the permits that are free, one fetch after the other. It ends by itself once the capacity is closed; a
 * fetch that waits then, or while the worker is quiet, is to be withdrawn.
 */
final class FetchLoop {
    private static final Logger LOG = LoggerFactory.getLogger(FetchLoop.class);

    private final WorkerConfig config;
    private final Supplier<List<String>> queuesNow;
    private final Fetching fetching;
    private final Routing routing;
    private final ClaimCapacity capacity;
    private final PartitionBreakers breakers;
    private final TypeBreakers types;
    private final WorkerClock alarms;
    private final RetryDelay backoff;
    private final WorkerMeters meters;
    private final Consumer<byte[]> claimed;
    private boolean failing;
    private volatile Cancellation current = new Cancellation();

    /** @param queuesNow from which jobs are taken; none for a while if it is empty */
    FetchLoop(
            WorkerConfig config,
            Supplier<List<String>> queuesNow,
            Fetching fetching,
            Routing routing,
            ClaimCapacity capacity,
            PartitionBreakers breakers,
            TypeBreakers types,
            RetryTiming pace,
            WorkerMeters meters,
            Consumer<byte[]> claimed) {
        this.config = config;
        this.queuesNow = queuesNow;
        this.fetching = fetching;
        this.routing = routing;
        this.capacity = capacity;
        this.breakers = breakers;
        this.types = types;
        this.alarms = pace.alarms();
        backoff = pace.backoff();
        this.meters = meters;
        this.claimed = claimed;
    }

    // Such as an error for want of memory: it passes, and must not end the claiming for good.
    @SuppressWarnings("CatchingUnchecked")
    void run() {
        Throwable trouble = null;
        while (true) {
            try {
                if (trouble != null) {
                    failing = true;
                    String what = trouble.toString();
                    trouble = null;
                    LOG.error("Claiming failed ({}); trying again.", what);
                    pause();
                }
                if (!claim()) return;
                if (failing) pause();
                else backoff.reset();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable failure) {
                trouble = failure;
            }
        }
    }

    /** Claims and fetches jobs. Returns false once the capacity is closed. */
    private boolean claim() throws InterruptedException {
        // Before the claim: a withdrawal after it means this fetch.
        Cancellation cancellation = new Cancellation();
        current = cancellation;
        int permits = capacity.claim(Fetch.MAX_COUNT);
        if (permits == 0) return false;
        List<byte[]> jobs = List.of();
        try {
            jobs = fetch(permits, cancellation);
        } finally {
            capacity.came(jobs.size(), permits);
        }
        jobs.forEach(claimed);
        return true;
    }

    /** Ends the fetch that waits. */
    void withdraw() {
        current.cancel();
    }

    private List<byte[]> fetch(int permits, Cancellation cancellation) throws InterruptedException {
        List<String> wanted = queuesNow.get();
        if (wanted.isEmpty()) {
            failing = false;
            await(config.park(), cancellation);
            return List.of();
        }
        List<String> queues = breakers.inReach(wanted, routing::ofQueue);
        if (queues.isEmpty()) {
            failing = true;
            meters.claimRejections("log_breaker").increment();
            return List.of();
        }
        TypeBreakers.Claimable claimable = types.claimable();
        // What has rested is to be claimed again.
        Duration wait = claimable.unchanged().compareTo(config.park()) < 0 ? claimable.unchanged() : config.park();
        if (claimable.none()) {
            failing = false;
            meters.claimRejections("type_breaker").increment();
            await(wait, cancellation);
            return List.of();
        }
        long began = System.nanoTime();
        List<byte[]> jobs;
        try {
            jobs = fetching.fetch(
                    new Fetch(
                            queues, claimable.most(permits), config.id(), config.visibility(), wait, claimable.types()),
                    cancellation);
        } catch (CommandFailed | RejectedException | RuntimeException failure) {
            failing = true;
            meters.fetchFailures().increment();
            LOG.warn("A fetch from {} failed ({}); trying again.", queues, failure.toString());
            return List.of();
        }
        if (!cancellation.isCancelled()) types.answered(claimable);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        // A partition that has no room for those who wait sends them away at once.
        failing = jobs.isEmpty() && !cancellation.isCancelled() && took.compareTo(wait.dividedBy(2)) < 0;
        return jobs;
    }

    private void pause() throws InterruptedException {
        await(backoff.next(), new Cancellation());
    }

    private void await(Duration time, Cancellation cancellation) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        cancellation.onCancel(over::countDown);
        WorkerClock.Alarm alarm = alarms.after(time, over::countDown);
        over.await();
        alarm.cancel();
    }
}
