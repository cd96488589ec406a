package io.floodgate.bench.run;

import io.floodgate.bench.load.Measurement;
import java.util.List;

/** What a bound costs that is never reached, and what it costs to work at one that always is. */
public final class BoundCostRun {
    /** Nobody reaches them. */
    private static final long FAR_DEPTH = 1_000_000_000;

    private static final long FAR_SIZE = 1_000_000_000_000L;

    private final Settings settings;
    private final int connections;
    private final int turns;

    public BoundCostRun(Settings settings, int connections, int turns) {
        this.settings = settings;
        this.connections = connections;
        this.turns = turns;
    }

    /** Single jobs into queues without and with bounds. */
    public List<Measurement> enqueue() throws Exception {
        return new Turns()
                .with("enqueue, no bound", name -> enqueue(name, 0, 0))
                .with("enqueue, depth bounded", name -> enqueue(name, FAR_DEPTH, 0))
                .with("enqueue, depth and size bounded", name -> enqueue(name, FAR_DEPTH, FAR_SIZE))
                .take(turns);
    }

    private Measurement enqueue(String name, long maxDepth, long maxSizeBytes) throws Exception {
        settings.prepare();
        Jobs jobs = settings.jobs("-cost-%d".formatted(System.nanoTime()));
        try (BoundedQueue queue = new BoundedQueue(settings, jobs.queue())) {
            queue.bound(maxDepth, maxSizeBytes, "reject");
        }
        return EnqueueRun.run(name, settings.withoutReset(), connections, jobs);
    }

    /**
     * Whole lives of jobs: with nobody in the way, and in a queue that is full all the time.
     *
     * @param maxDepth of the queue that blocks
     */
    public List<Measurement> lifecycle(int count, long maxDepth) throws Exception {
        return new Turns()
                .with(
                        "lifecycle, free",
                        name -> LifecycleRun.run(settings, connections, count).getFirst())
                .with("lifecycle, held at the bound", name -> HeldRun.run(name, settings, connections, count, maxDepth))
                .take(turns);
    }
}
