package io.floodgate.bench.run;

import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.run.LimitedQueues.Limit;
import io.floodgate.topics.PartitionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How much of a limit is used by one key, with jobs in queues of different logs, of which each has half of what the one before has. */
public final class DeliveryRun {
    private static final int MOST_QUEUES = 8;
    private static final int WORKERS_OF_A_QUEUE = 16;
    private static final int MOST_AT_ONCE = 100;
    private static final Duration WAIT = Duration.ofMillis(500);
    /** Of a slow limit: with fewer, one more or less would make a difference. */
    private static final int LEAST_STARTS = 40;

    private final Settings settings;

    public DeliveryRun(Settings settings) {
        this.settings = settings;
    }

    /** @param kind {@code rate} or {@code throttle} */
    public Measurement run(String kind, long perSecond) throws Exception {
        settings.prepare();
        Duration least = Duration.ofSeconds(Math.ceilDiv(LEAST_STARTS, perSecond));
        Duration measured = settings.measured().compareTo(least) < 0 ? least : settings.measured();
        Settings lasting = settings.withoutReset().lasting(measured);
        long jobs = (settings.warmup().toSeconds() + measured.toSeconds() + 2) * perSecond * 3 / 2;
        try (LimitedQueues log = LimitedQueues.connect(settings, "%s-%d".formatted(kind, perSecond))) {
            List<String> queues =
                    fill(log, jobs, Limit.perSecond(log.keyIn(log.logs().getFirst()), kind, perSecond));
            int count = Math.clamp(perSecond / 100, 1, MOST_AT_ONCE);
            Load load = lasting.load(WORKERS_OF_A_QUEUE * queues.size());
            Measurement found = load.onVirtualThreads(
                    kind, "", "starts", caller -> taking(log, queues.get(caller % queues.size()), count, caller));
            double share = 100 * found.perSecond() / perSecond;
            return new Measurement(
                    String.format(Locale.ROOT, "%s of %,d/s: %.1f%% delivered", kind, perSecond, share),
                    "one key, %d queues in different partitions, each with half as many jobs as the one before; latency is that of a fetch that waits for a permit"
                            .formatted(queues.size()),
                    "starts",
                    found.units(),
                    found.window(),
                    found.micros(),
                    found.server(),
                    found.errors());
        }
    }

    private static List<String> fill(LimitedQueues log, long jobs, Limit limit) throws Exception {
        List<String> queues = new ArrayList<>();
        long share = jobs;
        for (PartitionId each : log.logs().stream().limit(MOST_QUEUES).toList()) {
            String queue = log.queueIn(each);
            share = Math.max(1, share / 2);
            log.fill(queue, share, limit);
            queues.add(queue);
        }
        return queues;
    }

    private static LoadOperation taking(LimitedQueues log, String queue, int count, int caller) {
        PartitionWorker worker = log.worker(caller);
        return due -> {
            List<PartitionWorker.Handed> handed = worker.fetch(queue, count, WAIT);
            worker.ack(handed);
            return handed.size();
        };
    }
}
