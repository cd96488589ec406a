package io.floodgate.verification.client;

import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.history.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Sees how those are answered who go on asking while something is broken: enqueues a job in each log four times a second,
 * over a connection of its own each, for one that gets no answer must not keep the next one waiting.
 */
public final class Witness implements AutoCloseable {
    private static final Duration PATIENCE_WITH_ONE_REQUEST = Duration.ofSeconds(20);
    private static final long EVERY_MS = 250;

    /**
     * An answer.
     *
     * @param status 0 when nothing came back
     */
    public record Seen(int log, long begun, long ended, int status) {
        public boolean served() {
            return status == 200 || status == 201;
        }

        public boolean rejected() {
            return status == 503;
        }
    }

    private final List<String> urls;
    private final List<RoundTrip> trips;
    private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("witness").daemon().factory());
    private int turn;

    private Witness(List<String> urls, int partitions, Recorder recorder) {
        this.urls = List.copyOf(urls);
        trips = Service.queues(partitions).stream()
                .map(queue -> new RoundTrip(queue, recorder))
                .toList();
    }

    /** @param recorder gets each job */
    public static Witness start(List<String> urls, int partitions, Recorder recorder) {
        Witness witness = new Witness(urls, partitions, recorder);
        var unused = witness.clock.scheduleAtFixedRate(witness::askAll, 0, EVERY_MS, TimeUnit.MILLISECONDS);
        return witness;
    }

    private void askAll() {
        turn++;
        for (int log = 0; log < trips.size(); log++) {
            int asked = log;
            String url = urls.get((turn + log) % urls.size());
            Future<?> unused = asking.submit(() -> ask(asked, url));
        }
    }

    private void ask(int log, String url) {
        try (Caller caller = new Caller(url, PATIENCE_WITH_ONE_REQUEST)) {
            Heard heard = trips.get(log).enqueue(caller);
            seen.add(new Seen(log, heard.span().begun(), heard.span().ended(), heard.status()));
        }
    }

    /** Asks no more, and returns what came of all that was asked. */
    public List<Seen> end() throws InterruptedException {
        close();
        return new ArrayList<>(seen);
    }

    @Override
    public void close() throws InterruptedException {
        clock.shutdown();
        clock.awaitTermination(1, TimeUnit.SECONDS);
        asking.close();
    }
}
