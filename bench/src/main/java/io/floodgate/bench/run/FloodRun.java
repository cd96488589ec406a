package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Plan;
import io.floodgate.bench.load.Samples;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * A flood at a full queue, as fast as it is answered or at a rate: what rejections cost, beside enqueues that are taken; how many records they are in the logs; and
 * what the producers of another queue of the same partition notice of it.
 */
public final class FloodRun {
    private static final int NEIGHBOURS = 4;
    private static final double NEIGHBOURS_RATE = 200;

    private final Settings settings;
    private final int connections;
    private final int depth;

    /** @param depth how many jobs the queue may hold */
    public FloodRun(Settings settings, int connections, int depth) {
        this.settings = settings;
        this.connections = connections;
        this.depth = depth;
    }

    /** Enqueues without a bound first, then the neighbours alone, the flood, the neighbours in it, and the records. */
    public List<Measurement> run() throws Exception {
        Measurement taken = EnqueueRun.run("bounds: taken, without a bound", settings.withRate(0), connections);
        JobBodies jobs = settings.jobs("-full");
        try (LogRecords records = new LogRecords(settings);
                FullQueue queue = FullQueue.fill(settings, jobs, depth)) {
            JobBodies neighbour = records.neighbour(settings, jobs);
            Measurement alone = neighbours("bounds: neighbour, alone", neighbour);
            Load flood = new Load(
                    new Plan(settings.warmup(), settings.measured(), connections, settings.rate()), settings.server());
            CompletableFuture<Long> grown = records.within(flood.window());
            CompletableFuture<Measurement> within = neighboursMeanwhile(neighbour);
            Measurement rejected = flood.onThreads(
                    "bounds: rejected, queue full",
                    "POST %s to a full queue, %s"
                            .formatted(EnqueueRun.PATH, settings.loop(connections + " connections")),
                    "rejections",
                    caller -> new Rejected(settings.connect(), jobs));
            Measurement disturbed = within.join();
            Measurement log = new Measurement(
                    "bounds: records in the partitions",
                    "appended during the flood, without the neighbour's jobs",
                    "records",
                    Math.max(0, grown.join() - disturbed.units()),
                    rejected.window(),
                    Samples.merge(List.of()),
                    Optional.empty(),
                    new Errors());
            return List.of(taken, alone, rejected, disturbed, log);
        }
    }

    private Measurement neighbours(String name, JobBodies neighbour) throws Exception {
        return new Load(
                        new Plan(settings.warmup(), settings.measured(), NEIGHBOURS, NEIGHBOURS_RATE),
                        OptionalLong.empty())
                .onThreads(
                        name,
                        "POST %s, %,.0f/s due, %d connections, another queue of the same partition"
                                .formatted(EnqueueRun.PATH, NEIGHBOURS_RATE, NEIGHBOURS),
                        "jobs",
                        caller -> new Taken(settings.connect(), neighbour));
    }

    private CompletableFuture<Measurement> neighboursMeanwhile(JobBodies neighbour) {
        CompletableFuture<Measurement> measured = new CompletableFuture<>();
        Thread.ofPlatform().name("bench-neighbours").daemon().start(() -> {
            try {
                measured.complete(neighbours("bounds: neighbour, in the flood", neighbour));
            } catch (Exception failure) {
                measured.completeExceptionally(new CompletionException(failure));
            }
        });
        return measured;
    }

    private record Taken(HttpConnection connection, JobBodies jobs) implements LoadOperation {
        @Override
        public int run(long due) throws IOException {
            var unused = connection.post(EnqueueRun.PATH, jobs.json(due), 201);
            return 1;
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    private record Rejected(HttpConnection connection, JobBodies jobs) implements LoadOperation {
        private static final int TOO_MANY_REQUESTS = 429;

        @Override
        public int run(long due) throws IOException {
            HttpResponse response = connection.post(EnqueueRun.PATH, jobs.json(due));
            if (response.status() != TOO_MANY_REQUESTS)
                throw new IOException("a full queue answered %d: %s".formatted(response.status(), response.text()));
            return 1;
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
