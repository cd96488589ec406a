package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Operation;
import io.floodgate.bench.run.LimitedQueues.Limit;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Lifecycles in a queue of each log: ten jobs are enqueued, fetched and acked, whatever limits they have. */
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

    /**
     * As producers and workers do it: each job is a request when it is enqueued, and another when it is acked.
     *
     * @param limits of the jobs in the queue of each log, by the job's number
     */
    Measurement overHttp(String name, Settings settings, String what, IntFunction<LongFunction<@Nullable Limit>> limits)
            throws Exception {
        String how = "%d × enqueue, fetch of %d, %d × ack; %s"
                .formatted(SIZE, SIZE, SIZE, settings.loop("%d connections, %s".formatted(CALLERS, what)));
        return settings.load(CALLERS).onThreads("lifecycles, " + name, how, "jobs", caller -> {
            int at = caller % queues.size();
            return new HttpCycle(settings, caller, queues.get(at), limits.apply(at));
        });
    }

    /**
     * By tens and straight on the log, where nothing but the log has a part in what they cost.
     *
     * @param limits of the jobs in the queue of each log, by the job's number
     */
    Measurement onLog(String name, Settings settings, String what, IntFunction<LongFunction<@Nullable Limit>> limits)
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
                if (handed.isEmpty()) throw broughtNothing();
                worker.ack(handed);
                left -= handed.size();
            }
            return SIZE;
        };
    }

    private final class HttpCycle implements Operation {
        private final HttpConnection connection;
        private final HttpWorker worker;
        private final String queue;
        private final LongFunction<@Nullable Limit> limits;

        HttpCycle(Settings settings, int caller, String queue, LongFunction<@Nullable Limit> limits) {
            connection = settings.connect();
            worker = new HttpWorker(connection, "bench-limits-" + caller);
            this.queue = queue;
            this.limits = limits;
        }

        @Override
        public int run(long due) throws Exception {
            for (int number = 0; number < SIZE; number++) {
                byte[] job = log.forHttp(queue, number, limits.apply(number));
                var unused = connection.post(EnqueueRun.PATH, job, 201);
            }
            int left = SIZE;
            while (left > 0) {
                List<HttpWorker.Handed> handed = worker.fetch(List.of(queue), left, WAIT);
                if (handed.isEmpty()) throw broughtNothing();
                for (HttpWorker.Handed job : handed) worker.ack(job);
                left -= handed.size();
            }
            return SIZE;
        }

        @Override
        public void close() {
            worker.close();
        }
    }

    private static IllegalStateException broughtNothing() {
        return new IllegalStateException(
                "a fetch brought nothing within %s although jobs were enqueued".formatted(WAIT));
    }
}
