package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Jobs fetched and acked from a queue that blocks, and that eager producers hold at its bound. There are as many producers
 * as workers; each has its next job ready as soon as the last one is in.
 */
final class HeldRun {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofSeconds(5);

    private HeldRun() {}

    static Measurement run(String name, Settings settings, int workers, int count, long maxDepth) throws Exception {
        settings.prepare();
        Jobs jobs = settings.jobs("-held-%d".formatted(System.nanoTime()));
        String how = "queue of %,d that blocks, %d producers who wait, %d workers: 1 fetch of %d, %d × ack"
                .formatted(maxDepth, workers, workers, count, count);
        try (BoundedQueue queue = new BoundedQueue(settings, jobs.queue());
                Producers producers = new Producers(settings, jobs)) {
            queue.bound(maxDepth, 0, "block");
            Load load = settings.withoutReset().load(workers);
            producers.start(workers, load.errors());
            return load.onThreads(name, how, "jobs", caller -> new Taking(settings, jobs, count, caller));
        }
    }

    /** They go on until they are closed. */
    private static final class Producers implements AutoCloseable {
        private final Settings settings;
        private final Jobs jobs;
        private final AtomicBoolean closed = new AtomicBoolean();
        private final List<HttpConnection> connections = new ArrayList<>();

        Producers(Settings settings, Jobs jobs) {
            this.settings = settings;
            this.jobs = jobs;
        }

        void start(int many, Errors errors) {
            for (int i = 0; i < many; i++) {
                HttpConnection connection = settings.connectToWait(PATIENCE);
                connections.add(connection);
                Thread.ofPlatform().daemon().name("producer-" + i).start(() -> produce(connection, errors));
            }
        }

        private void produce(HttpConnection connection, Errors errors) {
            for (long number = 0; !closed.get(); number++) {
                try {
                    HttpResponse answer = connection.post(EnqueueRun.PATH, jobs.json(number));
                    if (answer.status() != 201) errors.add("refused", "a producer that waits got " + answer.text());
                } catch (IOException e) {
                    if (!closed.get()) errors.add(e);
                }
            }
        }

        @Override
        public void close() {
            closed.set(true);
            connections.forEach(HttpConnection::close);
        }
    }

    private record Taking(HttpWorker worker, Jobs jobs, int count) implements Operation {
        Taking(Settings settings, Jobs jobs, int count, int caller) {
            this(new HttpWorker(settings.connect(), "bench-held-" + caller), jobs, count);
        }

        @Override
        public int run(long due) throws Exception {
            List<HttpWorker.Handed> handed = worker.fetch(List.of(jobs.queue()), count, WAIT);
            for (HttpWorker.Handed job : handed) worker.ack(job);
            return handed.size();
        }

        @Override
        public void close() {
            worker.close();
        }
    }
}
