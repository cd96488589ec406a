package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import io.floodgate.bench.load.Window;
import io.floodgate.bench.run.LimitedQueues.Limit;
import io.floodgate.topics.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Very many jobs of a key that is stopped, before jobs that are free: when these start, what a fetch takes, and what the blocked ones cost. */
public final class StoppedKeyRun {
    private static final int CALLERS = 8;
    private static final int FREE_JOBS = 50;
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final Settings settings;
    private final int stopped;

    public StoppedKeyRun(Settings settings, int stopped) {
        this.settings = settings;
        this.stopped = stopped;
    }

    public List<Measurement> run() throws Exception {
        settings.prepare();
        Settings rest = settings.withoutReset();
        List<Measurement> found = new ArrayList<>();
        try (LimitedQueues log = LimitedQueues.connect(settings, "stopped")) {
            String queue = log.queueIn(log.logs().getFirst());
            String other = log.queueIn(log.logs().getFirst());
            Limit limit = Limit.concurrency(log.keyOutside(log.logOf(queue)), 0);
            found.addAll(cycles(rest, log, queue, "quiet"));
            long before = memory();
            log.fill(other, stopped, number -> null);
            long free = (memory() - before) / stopped;
            before = memory();
            log.fill(queue, stopped, number -> limit);
            long blocked = (memory() - before) / stopped;
            String how = "%,d jobs of a stopped key before each; a blocked job takes %d bytes, one without a limit %d"
                    .formatted(stopped, blocked, free);
            found.add(free(log, queue, how));
            found.addAll(cycles(rest, log, queue, "behind %,d stopped".formatted(stopped)));
        }
        return found;
    }

    /** Free jobs one at a time, each from being sent to being in a worker's hands. */
    private static Measurement free(LimitedQueues log, String queue, String how) throws Exception {
        LogWorker worker = log.worker(0);
        Window always = new Window(System.nanoTime(), Long.MAX_VALUE / 2);
        Samples samples = new Samples(always);
        Errors errors = new Errors();
        for (int i = 0; i < FREE_JOBS; i++) {
            long sent = System.nanoTime();
            log.enqueue(queue, i, null);
            List<LogWorker.Handed> handed = worker.fetch(queue, 1, WAIT);
            samples.add(sent, System.nanoTime(), 1);
            if (handed.isEmpty()) errors.add("held up", "a free job did not start within %s".formatted(WAIT));
            worker.ack(handed);
        }
        Window took = new Window(always.start(), System.nanoTime());
        return new Measurement(
                "a free job starts",
                how,
                "jobs",
                FREE_JOBS,
                took,
                Samples.merge(List.of(samples)),
                Optional.empty(),
                errors);
    }

    private static List<Measurement> cycles(Settings settings, LimitedQueues log, String queue, String when)
            throws Exception {
        Load load = settings.load(CALLERS);
        Samples fetches = new Samples(load.window());
        Measurement whole =
                load.onVirtualThreads("lifecycles, " + when, "enqueue, fetch, ack, one by one", "jobs", caller -> {
                    LogWorker worker = log.worker(caller);
                    return due -> {
                        log.enqueue(queue, due, null);
                        long asked = System.nanoTime();
                        List<LogWorker.Handed> handed = worker.fetch(queue, 1, WAIT);
                        fetches.add(asked, System.nanoTime(), 1);
                        worker.ack(handed);
                        return handed.size();
                    };
                });
        Measurement fetching = new Measurement(
                "fetch, " + when,
                "one step of the run above",
                "calls",
                fetches.units(),
                whole.window(),
                Samples.merge(List.of(fetches)),
                Optional.empty(),
                new Errors());
        return List.of(whole, fetching);
    }

    /** Of all logs, by their own account. */
    private long memory() throws IOException {
        try (HttpConnection connection = settings.connect()) {
            long bytes = 0;
            for (JsonNode log :
                    Json.tree(connection.get("/ojs/v1/admin/logs", 200)).required("logs"))
                bytes += log.required("memory_bytes").longValue();
            return bytes;
        }
    }
}
