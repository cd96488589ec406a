package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Operation;
import io.floodgate.bench.load.Plan;
import io.floodgate.bench.load.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * How soon room is used that an ack has freed: a full queue, one worker, nobody else. Whoever was told of the room must
 * not be refused, although the queue has just refused another job.
 */
public final class FreedRoomRun {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private FreedRoomRun() {}

    public static Measurement run(Settings settings, int depth) throws Exception {
        Jobs jobs = settings.jobs("-freed");
        try (FullQueue queue = FullQueue.fill(settings, jobs, depth)) {
            Load load = new Load(Plan.closed(settings.warmup(), settings.measured(), 1), settings.server());
            Samples samples = new Samples(load.window());
            Measurement cycles = load.onThreads(
                    "bounds: ack to 201",
                    "refused enqueue, fetch, ack, then from the ack's answer to that of the next enqueue; one worker",
                    "jobs",
                    caller -> new Cycle(settings.connect(), jobs, samples));
            return new Measurement(
                    cycles.name(),
                    cycles.how(),
                    cycles.unit(),
                    samples.units(),
                    cycles.window(),
                    Samples.merge(List.of(samples)),
                    cycles.server(),
                    cycles.errors());
        }
    }

    private record Cycle(HttpConnection connection, HttpWorker worker, Jobs jobs, Samples samples)
            implements Operation {
        private static final int TOO_MANY_REQUESTS = 429;

        Cycle(HttpConnection connection, Jobs jobs, Samples samples) {
            this(connection, new HttpWorker(connection, "bench-freeing"), jobs, samples);
        }

        @Override
        public int run(long due) throws IOException {
            int status = connection.post(EnqueueRun.PATH, jobs.json(due)).status();
            if (status != TOO_MANY_REQUESTS)
                throw new IOException("a full queue answered an enqueue with %d".formatted(status));
            List<HttpWorker.Handed> taken = worker.fetch(List.of(jobs.queue()), 1, PATIENCE);
            if (taken.isEmpty()) throw new IOException("a full queue has nothing to fetch");
            worker.ack(taken.getFirst());
            long freed = System.nanoTime();
            var unused = connection.post(EnqueueRun.PATH, jobs.json(due), 201);
            samples.add(freed, System.nanoTime(), 1);
            return 1;
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
