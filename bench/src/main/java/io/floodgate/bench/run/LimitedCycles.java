package io.floodgate.bench.run;

import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Operation;
import io.floodgate.bench.run.LimitedQueues.Limit;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Lifecycles by tens in a queue of each log: ten jobs are enqueued, fetched and acked, whatever limits they have. */
final class LimitedCycles {
    private static final int CALLERS = 64;
    private static final int SIZE = 10;
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final LimitedQueues log;
    private final List<String> queues;

    LimitedCycles(LimitedQueues log) {
        this.log = log;
        queues = log.logs().stream().map(log::queueIn).toList();
    }

    /** @param limits of the jobs in the queue of each log, by the job's number */
    Measurement run(String name, Settings settings, String what, IntFunction<LongFunction<@Nullable Limit>> limits)
            throws Exception {
        String how = "batch of %d, fetch of %d, %d acks at once; %s"
                .formatted(SIZE, SIZE, SIZE, settings.loop("%d callers, %s".formatted(CALLERS, what)));
        return settings.load(CALLERS).onVirtualThreads("lifecycles, " + name, how, "jobs", caller -> {
            int at = caller % queues.size();
            return cycle(log.worker(caller), queues.get(at), limits.apply(at));
        });
    }

    private Operation cycle(LogWorker worker, String queue, LongFunction<@Nullable Limit> limits) {
        return due -> {
            log.fill(queue, SIZE, limits);
            int left = SIZE;
            while (left > 0) {
                List<LogWorker.Handed> handed = worker.fetch(queue, left, WAIT);
                if (handed.isEmpty())
                    throw new IllegalStateException(
                            "a fetch brought nothing within %s although jobs were enqueued".formatted(WAIT));
                worker.ack(handed);
                left -= handed.size();
            }
            return SIZE;
        };
    }
}
