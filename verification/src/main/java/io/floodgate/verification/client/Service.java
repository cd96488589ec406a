package io.floodgate.verification.client;

import io.floodgate.topics.Routing;
import io.floodgate.verification.history.Recorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Whether jobs go round, asked by doing it: on a queue in each log, for a log is what a processor owns and loses. */
public final class Service {
    /** A request that was lost with a process is given up after this, and tried elsewhere. */
    private static final Duration PATIENCE_WITH_ONE_REQUEST = Duration.ofSeconds(1);

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);

    private final List<String> urls;
    private final List<RoundTrip> trips;

    /** How long it took until a job went round in the first log, and in all of them; incomplete: it never did in some. */
    public record Return(Duration first, Duration all, boolean complete) {}

    public Service(List<String> urls, int partitions, Recorder recorder) {
        this(urls, "", partitions, recorder);
    }

    /** @param prefix of the names of its queues */
    public Service(List<String> urls, String prefix, int partitions, Recorder recorder) {
        this.urls = urls;
        trips = queues(prefix + "probe", partitions).stream()
                .map(queue -> new RoundTrip(queue, recorder))
                .toList();
    }

    /** A queue in each partition, with a name that begins so. */
    public static List<String> queues(String prefix, int partitions) {
        Routing routing = new Routing(partitions);
        return IntStream.range(0, partitions)
                .mapToObj(log -> IntStream.iterate(0, i -> i + 1)
                        .mapToObj(i -> prefix + "-" + i)
                        .filter(name -> routing.ofQueue(name).partition() == log)
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    /** Counts from now on. */
    public Return await(Duration patience) throws InterruptedException {
        return await(patience, () -> false);
    }

    /** The same, unless it has become hopeless before. */
    public Return await(Duration patience, BooleanSupplier isHopeless) throws InterruptedException {
        long begun = System.nanoTime();
        long end = begun + patience.toNanos();
        List<Long> times = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Long>> all = new ArrayList<>();
            for (int i = 0; i < trips.size(); i++) {
                int log = i;
                all.add(threads.submit(() -> untilOneGoesThrough(log, end, isHopeless)));
            }
            for (Future<Long> each : all) times.add(each.get() - begun);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return new Return(
                Duration.ofNanos(times.stream().mapToLong(t -> t).min().orElse(0)),
                Duration.ofNanos(times.stream().mapToLong(t -> t).max().orElse(0)),
                times.stream().allMatch(t -> t <= patience.toNanos()));
    }

    private long untilOneGoesThrough(int log, long end, BooleanSupplier isHopeless) throws InterruptedException {
        try (Caller caller = new Caller(urls, log, PATIENCE_WITH_ONE_REQUEST)) {
            while (!trips.get(log).goesThrough(caller)) {
                if (System.nanoTime() > end || isHopeless.getAsBoolean()) return Long.MAX_VALUE;
                Await.pause(BETWEEN_TRIES);
            }
        }
        return System.nanoTime();
    }
}
