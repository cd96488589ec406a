package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Very many finished jobs whose time comes at once: how long it takes until they are gone, and who notices. */
public final class RetentionRun {
    private static final int BATCH = 500;
    private static final int FETCH = 100;
    private static final Duration LAST_WAIT = Duration.ofSeconds(5);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
    /** A partition looks once a minute for jobs to remove, and then needs its time. */
    private static final Duration AT_MOST = Duration.ofMinutes(30);

    private final Settings settings;
    private final JobBodies jobs;
    private final int count;
    private final int workers;
    private final Duration kept;

    /** @param kept how long the jobs are: longer than it takes to finish them all, and to measure the canary beside them */
    public RetentionRun(Settings settings, int count, int workers, Duration kept) {
        this.settings = settings;
        this.jobs = settings.jobs("-finished");
        this.count = count;
        this.workers = workers;
        this.kept = kept;
    }

    /** The jobs, the canary beside them, their end, and the canary meanwhile. */
    public List<Measurement> run() throws Exception {
        settings.prepare();
        keep();
        try (LogRecords records = new LogRecords(settings);
                CanaryJobs canary = new CanaryJobs(settings, records.neighbour(settings, jobs))) {
            Measurement finished = finish();
            long warm = System.nanoTime() + settings.warmup().toNanos();
            var unused = canary.until("retention: warm-up", () -> System.nanoTime() - warm > 0);
            long end = System.nanoTime() + settings.measured().toNanos();
            Measurement quiet = canary.until("retention: canary, quiet", () -> System.nanoTime() - end > 0);
            if (left() < count)
                quiet.errors()
                        .add(
                                "early",
                                "jobs were removed before the quiet canary was measured: keep them for longer, with --kept");
            Looks begins = new Looks();
            while (!begins.haveSeen(count - 1L)) Thread.sleep(BETWEEN_LOOKS);
            Looks ends = new Looks();
            Measurement meanwhile = canary.until("retention: canary, while they are removed", () -> ends.haveSeen(0));
            return List.of(finished, quiet, meanwhile, removed(meanwhile.window()));
        }
    }

    private void keep() throws IOException {
        try (HttpConnection connection = settings.connect()) {
            var unused = connection.put(
                    path() + "/config",
                    new JsonOut()
                            .beginObject()
                            .name("retention")
                            .beginObject()
                            .field("completed", kept.toString())
                            .endObject()
                            .endObject()
                            .toBytes());
        }
    }

    private String path() {
        return "/ojs/v1/queues/%s".formatted(jobs.queue());
    }

    /** Straight on the log, where acks need not wait for each other. */
    private Measurement finish() throws Exception {
        long start = System.nanoTime();
        Once once = new Once(count);
        try (CommandClient client = PartitionTarget.open(settings, workers * FETCH)) {
            Counter next = new Counter(count);
            Crew.work(workers, worker -> {
                for (Counter.Range range = next.take(BATCH); !range.isEmpty(); range = next.take(BATCH))
                    enqueue(client, range);
                finish(new PartitionWorker(client, "bench-finisher-" + worker), once);
            });
        }
        MeasuredWindow window = new MeasuredWindow(start, System.nanoTime());
        Measurement finished = measurement("retention: jobs enqueued, fetched and acked", "without HTTP", window);
        once.report(finished.errors());
        return finished;
    }

    private void enqueue(CommandClient client, Counter.Range range) throws Exception {
        Slot slot = Slot.of(jobs.queue());
        List<byte[]> batch = new ArrayList<>();
        for (int i = 0; i < range.size(); i++) {
            JobId id = JobBodies.newId(slot);
            batch.add(jobs.json(range.from() + i, id));
        }
        PartitionTarget.check(client.call(
                client.routing().ofQueue(jobs.queue()),
                jobs.queue(),
                new EnqueueBatch(batch, true),
                PartitionTarget.PATIENCE));
    }

    private void finish(PartitionWorker worker, Once once) throws Exception {
        Duration wait = Duration.ZERO;
        while (!once.isComplete()) {
            List<PartitionWorker.Handed> handed = worker.fetch(jobs.queue(), FETCH, wait);
            if (handed.isEmpty() && !wait.isZero()) return;
            wait = handed.isEmpty() ? LAST_WAIT : Duration.ZERO;
            worker.ack(handed);
            handed.forEach(job -> once.add(job.number()));
        }
    }

    /** How many are still there. */
    private long left() throws IOException {
        try (HttpConnection connection = settings.connect()) {
            return Json.tree(connection.get(path(), 200)).required("completed").longValue();
        }
    }

    /** Asks now and then how many are left. */
    private final class Looks {
        private final long deadline = System.nanoTime() + kept.plus(AT_MOST).toNanos();
        private long next = System.nanoTime();

        boolean haveSeen(long most) throws IOException {
            if (System.nanoTime() - next < 0) return false;
            next = System.nanoTime() + BETWEEN_LOOKS.toNanos();
            long now = left();
            if (now > most && System.nanoTime() - deadline > 0)
                throw new IOException("%,d finished jobs are still there".formatted(now));
            return now <= most;
        }
    }

    private Measurement removed(MeasuredWindow window) {
        return measurement(
                "retention: jobs removed",
                "%,d finished jobs, in %.1f s".formatted(count, window.length().toMillis() / 1e3),
                window);
    }

    private Measurement measurement(String name, String how, MeasuredWindow window) {
        return new Measurement(
                name, how, "jobs", count, window, Samples.merge(List.of()), Optional.empty(), new Errors());
    }
}
