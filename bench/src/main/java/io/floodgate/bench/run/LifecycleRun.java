package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The whole life of a job over HTTP: enqueued one by one, fetched by several, acked one by one. */
public final class LifecycleRun {
    private LifecycleRun() {}

    /** The cycles first, then each step's latencies. */
    public static List<Measurement> run(Settings settings, int connections, int count) throws Exception {
        JobBodies jobs = settings.jobs("-lifecycle");
        String how = "%d × enqueue, 1 fetch of %d, %d × ack; %s"
                .formatted(count, count, count, settings.loop(connections + " connections"));
        Load load = settings.load(connections);
        List<Cycle> cycles = new ArrayList<>();
        Measurement whole = load.onThreads("lifecycle", how, "jobs", caller -> {
            Cycle cycle = new Cycle(settings, jobs, count, caller, load.window());
            cycles.add(cycle);
            return cycle;
        });
        return List.of(
                whole,
                step(
                        "lifecycle: enqueue",
                        whole,
                        cycles.stream().map(c -> c.enqueues).toList()),
                step(
                        "lifecycle: fetch",
                        whole,
                        cycles.stream().map(c -> c.fetches).toList()),
                step("lifecycle: ack", whole, cycles.stream().map(c -> c.acks).toList()));
    }

    private static Measurement step(String name, Measurement whole, List<Samples> samples) {
        long calls = samples.stream().mapToLong(Samples::units).sum();
        return new Measurement(
                name,
                "one step of the run above",
                "calls",
                calls,
                whole.window(),
                Samples.merge(samples),
                Optional.empty(),
                new io.floodgate.bench.load.Errors());
    }

    private static final class Cycle implements LoadOperation {
        private final HttpConnection connection;
        private final HttpWorker worker;
        private final JobBodies jobs;
        private final int count;
        private final Samples enqueues;
        private final Samples fetches;
        private final Samples acks;

        Cycle(Settings settings, JobBodies jobs, int count, int caller, MeasuredWindow window) {
            connection = settings.connect();
            worker = new HttpWorker(connection, "bench-" + caller);
            this.jobs = jobs;
            this.count = count;
            enqueues = new Samples(window);
            fetches = new Samples(window);
            acks = new Samples(window);
        }

        @Override
        public int run(long due) throws Exception {
            for (int i = 0; i < count; i++) {
                long start = System.nanoTime();
                var unused = connection.post(EnqueueRun.PATH, jobs.json(i), 201);
                enqueues.add(start, System.nanoTime(), 1);
            }
            long asked = System.nanoTime();
            var handed = worker.fetch(List.of(jobs.queue()), count, Duration.ZERO);
            fetches.add(asked, System.nanoTime(), 1);
            for (HttpWorker.Handed job : handed) {
                long start = System.nanoTime();
                worker.ack(job);
                acks.add(start, System.nanoTime(), 1);
            }
            // Every caller has enqueued what it fetches, so there is always enough for all of them.
            if (handed.size() != count)
                throw new IllegalStateException(
                        "a fetch of %d brought %d jobs although more were enqueued".formatted(count, handed.size()));
            return count;
        }

        @Override
        public void close() {
            worker.close();
        }
    }
}
