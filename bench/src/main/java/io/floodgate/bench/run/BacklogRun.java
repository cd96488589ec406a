package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Very many jobs in one queue, and whether a job costs the same however many there are. */
public final class BacklogRun {
    public enum Phase {
        ENQUEUE,
        DRAIN,
        BOTH
    }

    private static final int BATCH = 1_000;
    private static final int FETCH = 100;
    private static final int SLICES = 10;
    /** An empty fetch this long means that nothing is left, or that something is missing. */
    private static final Duration LAST_WAIT = Duration.ofSeconds(5);

    private final Settings settings;
    private final JobBodies jobs;
    private final int count;
    private final int connections;

    public BacklogRun(Settings settings, int count, int connections) {
        this.settings = settings;
        this.jobs = settings.jobs("-backlog");
        this.count = count;
        this.connections = connections;
    }

    /** Reports every tenth of the work as it is done. */
    public void run(Phase phase, Consumer<Measurement> found) throws Exception {
        if (phase != Phase.DRAIN) enqueue(found);
        if (phase != Phase.ENQUEUE) drain(found);
    }

    private void enqueue(Consumer<Measurement> found) throws Exception {
        settings.prepare();
        Errors errors = new Errors();
        Slices slices = slices("backlog: enqueue", "batches of %,d".formatted(BATCH), found, errors);
        Counter next = new Counter(count);
        Crew.work(connections, caller -> {
            try (HttpConnection connection = settings.connect()) {
                for (Counter.Range range = next.take(BATCH); !range.isEmpty(); range = next.take(BATCH)) {
                    long start = System.nanoTime();
                    var unused = connection.post(BatchRun.PATH, jobs.batch(range.from(), range.size()), 201);
                    slices.done(start, range.size());
                }
            }
        });
        slices.end();
    }

    private void drain(Consumer<Measurement> found) throws Exception {
        Errors errors = new Errors();
        Slices slices = slices(
                "backlog: fetch and ack",
                "fetches of %d, each with its acks one by one".formatted(FETCH),
                found,
                errors);
        Once once = new Once(count);
        Crew.work(connections, caller -> {
            try (HttpWorker worker = new HttpWorker(settings.connect(), "bench-drain-" + caller)) {
                Duration wait = Duration.ZERO;
                while (!once.isComplete()) {
                    long start = System.nanoTime();
                    List<HttpWorker.Handed> handed = worker.fetch(List.of(jobs.queue()), FETCH, wait);
                    if (handed.isEmpty() && !wait.isZero()) return;
                    wait = handed.isEmpty() ? LAST_WAIT : Duration.ZERO;
                    for (HttpWorker.Handed job : handed) {
                        worker.ack(job);
                        once.add(job.number());
                    }
                    if (!handed.isEmpty()) slices.done(start, handed.size());
                }
            }
        });
        once.report(errors);
        slices.end();
    }

    private Slices slices(String name, String how, Consumer<Measurement> found, Errors errors) {
        return new Slices(
                name,
                "%s, %d connections".formatted(how, connections),
                count / SLICES,
                settings.server(),
                errors,
                found);
    }
}
