package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** One job at a time, enqueued, fetched and acked: any load that delays its partition delays it. */
final class CanaryJobs implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpConnection connection;
    private final HttpWorker worker;
    private final JobBodies jobs;
    private long number;

    CanaryJobs(Settings settings, JobBodies jobs) {
        connection = settings.connect();
        worker = new HttpWorker(connection, "bench-canary");
        this.jobs = jobs;
    }

    /** Goes round until something is over, however long that takes. */
    Measurement until(String name, Callable<Boolean> over) throws Exception {
        long start = System.nanoTime();
        // When it ends is not known yet.
        Samples samples =
                new Samples(new MeasuredWindow(start, start + Duration.ofDays(1).toNanos()));
        while (!over.call()) {
            long begun = System.nanoTime();
            round();
            samples.add(begun, System.nanoTime(), 1);
        }
        return new Measurement(
                name,
                "enqueue, fetch, ack, one job at a time; another queue of the same partition",
                "jobs",
                samples.units(),
                new MeasuredWindow(start, System.nanoTime()),
                Samples.merge(List.of(samples)),
                Optional.empty(),
                new Errors());
    }

    private void round() throws IOException {
        var unused = connection.post(EnqueueRun.PATH, jobs.json(number++), 201);
        List<HttpWorker.Handed> taken = worker.fetch(List.of(jobs.queue()), 1, PATIENCE);
        if (taken.isEmpty()) throw new IOException("a job was enqueued, and there was nothing to fetch");
        worker.ack(taken.getFirst());
    }

    @Override
    public void close() {
        connection.close();
    }
}
