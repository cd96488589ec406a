package io.floodgate.bench.run;

import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How soon a waiting worker has a job, over HTTP: enqueue on one side, fetches with {@code wait_ms} on the other. */
public final class HttpHandoffRun {
    private static final Duration PARKED = Duration.ofSeconds(2);

    private HttpHandoffRun() {}

    public static Measurement run(Settings settings, int workers) throws Exception {
        JobBodies jobs = settings.jobs("-handoff");
        String how = "enqueue to start of handler, fetch with wait_ms; %s"
                .formatted(settings.loop("%d parked workers".formatted(workers)));
        Load load = settings.load(Math.max(1, workers / 2));
        Handoffs handoffs = new Handoffs(load);
        List<Parked> parked = new ArrayList<>();
        try {
            for (int i = 0; i < workers; i++) parked.add(Parked.start(settings, jobs, i, handoffs, load));
            Measurement sending = load.onThreads(
                    "sending", how, "jobs", caller -> new EnqueueOne(settings.connect(), jobs, handoffs));
            return handoffs.measured("handoff", how, sending);
        } finally {
            for (Parked worker : parked) worker.stop();
        }
    }

    /** A worker with one job at a time. */
    private static final class Parked {
        private final Thread thread;
        private volatile boolean stopped;

        private Parked(HttpWorker worker, JobBodies jobs, Handoffs handoffs, Load load) {
            thread = Thread.ofPlatform().daemon().unstarted(() -> {
                try (worker) {
                    while (!stopped) work(worker, jobs, handoffs, load);
                }
            });
        }

        static Parked start(Settings settings, JobBodies jobs, int number, Handoffs handoffs, Load load) {
            Parked parked =
                    new Parked(new HttpWorker(settings.connect(), "bench-parked-" + number), jobs, handoffs, load);
            parked.thread.start();
            return parked;
        }

        private void work(HttpWorker worker, JobBodies jobs, Handoffs handoffs, Load load) {
            try {
                var unused = worker.takeOne(jobs, PARKED, handoffs);
            } catch (Exception failure) {
                load.errors().add(failure);
                stopped |= load.errors().count() > 1_000;
            }
        }

        void stop() throws InterruptedException {
            stopped = true;
            thread.join();
        }
    }
}
