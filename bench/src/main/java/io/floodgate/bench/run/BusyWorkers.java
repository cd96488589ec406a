package io.floodgate.bench.run;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Workers that take whatever there is, ack it at once, or nack it for good, and send a heartbeat each second; in phases that
 * are measured apart. They do so as the least careful of the common clients: they name nothing but the job, and give up after
 * three tries.
 */
final class BusyWorkers implements AutoCloseable {
    private static final int COUNT = 10;
    /** One of this many jobs fails. */
    private static final int FAILING = 10;

    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration BEAT = Duration.ofSeconds(1);
    private static final List<Duration> BEFORE_ANOTHER_TRY = List.of(Duration.ofMillis(500), Duration.ofSeconds(1));

    private final Settings settings;
    private final List<String> queues;
    private final List<Thread> threads = new ArrayList<>();
    private final List<Phase> phases = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** What they have done within a window. */
    static final class Phase {
        private final MeasuredWindow window;
        private final Calls acks;
        private final Calls nacks;
        private final Calls beats;

        private Phase(MeasuredWindow window) {
            this.window = window;
            acks = new Calls(window);
            nacks = new Calls(window);
            beats = new Calls(window);
        }

        Measurement acks(String name) {
            return acks.measurement(name + ": acks");
        }

        Measurement nacks(String name) {
            return nacks.measurement(name + ": nacks");
        }

        Measurement beats(String name) {
            return beats.measurement(name + ": heartbeats");
        }
    }

    /** Those of one kind, answered and not. */
    private static final class Calls {
        private final MeasuredWindow window;
        private final Samples samples;
        private final Errors errors = new Errors();

        private Calls(MeasuredWindow window) {
            this.window = window;
            samples = new Samples(window);
        }

        private Measurement measurement(String name) {
            return new Measurement(
                    name,
                    "of the workers beside it",
                    "calls",
                    samples.units(),
                    window,
                    Samples.merge(List.of(samples)),
                    Optional.empty(),
                    errors);
        }
    }

    private BusyWorkers(Settings settings, List<String> queues) {
        this.settings = settings;
        this.queues = queues;
    }

    static BusyWorkers start(Settings settings, List<String> queues, int many) {
        BusyWorkers workers = new BusyWorkers(settings, queues);
        for (int i = 0; i < many; i++) {
            String id = "bench-busy-" + i;
            workers.threads.add(Thread.ofPlatform().daemon().start(() -> workers.work(id)));
            workers.threads.add(Thread.ofPlatform().daemon().start(() -> workers.beat(id)));
        }
        return workers;
    }

    Phase measure(MeasuredWindow window) {
        Phase phase = new Phase(window);
        phases.add(phase);
        return phase;
    }

    private void work(String id) {
        try (HttpWorker worker = new HttpWorker(settings.connect(), id)) {
            while (!closed) takeSome(worker);
        }
    }

    private void takeSome(HttpWorker worker) {
        try {
            for (HttpWorker.Handed job : worker.fetch(queues, COUNT, WAIT)) finish(worker, job);
        } catch (IOException rejected) {
            // A fetch may be rejected: it is the acks that must not be.
            LockSupport.parkNanos(WAIT.toNanos());
        }
    }

    private void finish(HttpWorker worker, HttpWorker.Handed job) {
        long began = System.nanoTime();
        boolean fails = job.number() % FAILING == 0;
        // Each of them is done with at once, whatever becomes of it.
        if (job.attempt() > 1)
            current().forEach(phase -> phase.acks.errors.add(new IOException("a job was handed out again")));
        Function<Phase, Calls> kind = fails ? phase -> phase.nacks : phase -> phase.acks;
        try {
            report(worker, job, fails);
            phases.forEach(phase -> kind.apply(phase).samples.add(began, System.nanoTime(), 1));
        } catch (IOException failed) {
            current().forEach(phase -> kind.apply(phase).errors.add(failed));
        }
    }

    private static void report(HttpWorker worker, HttpWorker.Handed job, boolean fails) throws IOException {
        for (Duration pause : BEFORE_ANOTHER_TRY) {
            try {
                tell(worker, job, fails);
                return;
            } catch (IOException failed) {
                LockSupport.parkNanos(pause.toNanos());
            }
        }
        tell(worker, job, fails);
    }

    private static void tell(HttpWorker worker, HttpWorker.Handed job, boolean fails) throws IOException {
        if (fails) worker.nackById(job);
        else worker.ackById(job);
    }

    private void beat(String id) {
        byte[] body =
                new JsonOut().beginObject().field("worker_id", id).endObject().toBytes();
        try (var connection = settings.connect()) {
            while (!closed) {
                long began = System.nanoTime();
                try {
                    var unused = connection.post("/ojs/v1/workers/heartbeat", body, 200);
                    phases.forEach(phase -> phase.beats.samples.add(began, System.nanoTime(), 1));
                } catch (IOException failed) {
                    current().forEach(phase -> phase.beats.errors.add(failed));
                }
                LockSupport.parkNanos(BEAT.toNanos());
            }
        }
    }

    private List<Phase> current() {
        long now = System.nanoTime();
        return phases.stream().filter(phase -> phase.window.contains(now)).toList();
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(LockSupport::unpark);
    }
}
