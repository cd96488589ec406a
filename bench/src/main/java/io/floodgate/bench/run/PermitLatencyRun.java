package io.floodgate.bench.run;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Plan;
import io.floodgate.bench.load.Samples;
import io.floodgate.bench.run.LimitedQueues.Limit;
import io.floodgate.topics.LogId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** How soon a waiting worker has a job: without a limit, with a permit from its own log, and with one from another; in turns. */
public final class PermitLatencyRun {
    private static final int WORKERS = 6;
    private static final double DEFAULT_RATE = 60;
    private static final long NEVER_REACHED = 1_000;
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final List<String> KINDS = List.of("no limit", "permit from its own log", "permit from another log");

    private final Settings settings;

    public PermitLatencyRun(Settings settings) {
        this.settings = settings.rate() > 0 ? settings : settings.withRate(DEFAULT_RATE);
    }

    public List<Measurement> run() throws Exception {
        try (LimitedQueues log = LimitedQueues.connect(settings, "latency")) {
            LogId home = log.logs().getFirst();
            List<String> queues = KINDS.stream().map(kind -> log.queueIn(home)).toList();
            List<@Nullable Limit> limits = new ArrayList<>();
            limits.add(null);
            limits.add(Limit.concurrency(log.keyIn(home), NEVER_REACHED));
            limits.add(Limit.concurrency(log.keyOutside(home), NEVER_REACHED));
            Load load = settings.load(WORKERS);
            List<Samples> samples =
                    KINDS.stream().map(kind -> new Samples(load.window())).toList();
            Load taking =
                    new Load(Plan.closed(settings.warmup(), settings.measured().plus(WAIT), WORKERS * KINDS.size()));
            FutureTask<Measurement> workers =
                    new FutureTask<>(() -> taking.onVirtualThreads("taking", "", "jobs", caller -> {
                        int kind = caller % KINDS.size();
                        LogWorker worker = log.worker(caller);
                        return due -> take(worker, queues.get(kind), samples.get(kind));
                    }));
            Thread.ofPlatform().name("bench-workers").daemon().start(workers);
            AtomicInteger turn = new AtomicInteger();
            Measurement sent = load.onVirtualThreads("sending", "", "jobs", caller -> due -> {
                int kind = turn.getAndIncrement() % KINDS.size();
                log.enqueue(queues.get(kind), due, limits.get(kind));
                return 1;
            });
            Errors ofWorkers = workers.get().errors();
            List<Measurement> found = new ArrayList<>();
            for (int kind = 0; kind < KINDS.size(); kind++)
                found.add(new Measurement(
                        "start: " + KINDS.get(kind),
                        "enqueue to start by a waiting worker, %s".formatted(settings.loop("kinds in turns")),
                        "jobs",
                        samples.get(kind).units(),
                        sent.window(),
                        Samples.merge(List.of(samples.get(kind))),
                        Optional.empty(),
                        kind == 0 ? sent.errors() : ofWorkers));
            return found;
        }
    }

    private static int take(LogWorker worker, String queue, Samples samples) throws Exception {
        List<LogWorker.Handed> handed = worker.fetch(queue, 1, WAIT);
        long now = System.nanoTime();
        for (LogWorker.Handed job : handed) samples.add(job.number(), now, 1);
        worker.ack(handed);
        return handed.size();
    }
}
