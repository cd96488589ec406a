package io.floodgate.bench.run;

import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Operation;
import io.floodgate.bench.load.Samples;
import io.floodgate.bench.run.LimitedQueues.Limit;
import io.floodgate.topics.LogId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** One job of a key runs at a time: from the moment its worker sends the ack to the start of the next one, by another worker. */
public final class PermitHandoverRun {
    private static final int WORKERS_OF_A_QUEUE = 4;
    private static final long MOST_PER_SECOND = 2_000;
    private static final Duration WAIT = Duration.ofMillis(500);

    private final Settings settings;

    public PermitHandoverRun(Settings settings) {
        this.settings = settings;
    }

    public List<Measurement> run() throws Exception {
        try (LimitedQueues log = LimitedQueues.connect(settings, "handover")) {
            List<LogId> logs = log.logs();
            if (logs.size() < 3) throw new IllegalStateException("three logs are needed; provision more partitions");
            LogId home = logs.getFirst();
            return List.of(
                    handovers("within one log", log, log.keyIn(home), List.of(log.queueIn(home))),
                    handovers(
                            "across logs",
                            log,
                            log.keyIn(home),
                            List.of(log.queueIn(logs.get(1)), log.queueIn(logs.get(2)))));
        }
    }

    private Measurement handovers(String where, LimitedQueues log, String key, List<String> queues) throws Exception {
        settings.prepare();
        Limit limit = Limit.concurrency(key, 1);
        long seconds = settings.warmup().plus(settings.measured()).toSeconds() + 1;
        for (String queue : queues) log.fill(queue, seconds * MOST_PER_SECOND / queues.size(), number -> limit);
        Load load = settings.withoutReset().load(WORKERS_OF_A_QUEUE * queues.size());
        Samples samples = new Samples(load.window());
        AtomicLong released = new AtomicLong();
        Measurement whole = load.onVirtualThreads(
                "handover",
                "",
                "jobs",
                caller -> taking(log.worker(caller), queues.get(caller % queues.size()), released, samples));
        return new Measurement(
                "handover " + where,
                "concurrency 1, %d queues: from sending the ack to the start of the next job".formatted(queues.size()),
                "jobs",
                whole.units(),
                whole.window(),
                Samples.merge(List.of(samples)),
                Optional.empty(),
                whole.errors());
    }

    private static Operation taking(LogWorker worker, String queue, AtomicLong released, Samples samples) {
        return due -> {
            List<LogWorker.Handed> handed = worker.fetch(queue, 1, WAIT);
            if (handed.isEmpty()) return 0;
            long before = released.get();
            if (before > 0) samples.add(before, System.nanoTime(), 1);
            released.set(System.nanoTime());
            worker.ack(handed);
            return 1;
        };
    }
}
