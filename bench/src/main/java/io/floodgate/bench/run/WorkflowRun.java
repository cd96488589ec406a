package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.job.SmallJob;
import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import io.floodgate.topics.Routing;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Workflows over HTTP, and plain jobs beside them that are enqueued, fetched and acked by the same requests. */
public final class WorkflowRun {
    private static final String WORKFLOWS = "/ojs/v1/workflows";
    private static final String BATCHES = "/ojs/v1/jobs/batch";
    private static final Duration PARKED = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Until a fetch surely waits in its partition. */
    private static final Duration UNTIL_PARKED = Duration.ofMillis(5);

    private static final int STEPS = 10;
    private static final int WORKFLOWS_AT_ONCE = 10;

    private final Settings settings;
    private final Routing routing;
    private final int callers;

    /** @param callers of the measurements of rates; the others have one */
    public WorkflowRun(Settings settings, int partitions, int callers) {
        this.settings = settings;
        routing = new Routing(partitions);
        this.callers = callers;
    }

    /** Two queues, in one partition or in two. */
    private List<String> queues(String suffix, boolean isAcross) {
        String first = settings.queue() + suffix;
        String second = Stream.iterate(0, i -> i + 1)
                .map(i -> first + "-" + i)
                .filter(name -> routing.ofQueue(name).equals(routing.ofQueue(first)) != isAcross)
                .findFirst()
                .orElseThrow();
        return List.of(first, second);
    }

    private static String where(boolean isAcross) {
        return isAcross ? "across partitions" : "in one partition";
    }

    private static byte[] chain(List<String> queues, int length) {
        JsonOut json =
                new JsonOut().beginObject().field("type", "chain").name("steps").beginArray();
        for (int i = 0; i < length; i++)
            json.raw(SmallJob.of("bench.step", queues.get(i % queues.size()))
                    .arg(i)
                    .toBytes());
        return json.endArray().endObject().toBytes();
    }

    private static byte[] batch(List<String> queues, int size) {
        JsonOut json = new JsonOut().beginObject().name("jobs").beginArray();
        for (int i = 0; i < size; i++)
            json.raw(SmallJob.of("bench.step", queues.get(i % queues.size()))
                    .arg(i)
                    .toBytes());
        return json.endArray().endObject().toBytes();
    }

    /** From the sending of an ack to the next step in the answer of a fetch that waits. */
    public Measurement nextStep(boolean isAcross) throws Exception {
        List<String> queues = queues("-next" + isAcross, isAcross);
        String how = "ack of a step to the next one at a waiting worker, chains of 2 " + where(isAcross);
        Load load = settings.load(1);
        Samples samples = new Samples(load.window());
        Measurement whole = load.onThreads("workflow", how, "steps", caller -> new NextStep(queues, samples));
        return new Measurement(
                "next step " + where(isAcross),
                how,
                "steps",
                samples.units(),
                whole.window(),
                Samples.merge(List.of(samples)),
                whole.server(),
                whole.errors());
    }

    private final class NextStep implements LoadOperation {
        private final HttpConnection producer = settings.connect();
        private final HttpWorker first = new HttpWorker(settings.connect(), "bench-first");
        private final HttpWorker second = new HttpWorker(settings.connect(), "bench-second");
        private final ExecutorService parked = Executors.newSingleThreadExecutor();
        private final List<String> queues;
        private final Samples samples;
        private final byte[] chain;

        NextStep(List<String> queues, Samples samples) {
            this.queues = queues;
            this.samples = samples;
            chain = chain(queues, 2);
        }

        @Override
        public int run(long due) throws Exception {
            var unused = producer.post(WORKFLOWS, chain, 201);
            HttpWorker.Handed step =
                    first.fetch(List.of(queues.getFirst()), 1, PATIENCE).getFirst();
            long[] arrived = {0};
            Future<List<HttpWorker.Handed>> next = parked.submit(() -> {
                List<HttpWorker.Handed> jobs = second.fetch(List.of(queues.getLast()), 1, PARKED);
                arrived[0] = System.nanoTime();
                return jobs;
            });
            long ready = System.nanoTime() + UNTIL_PARKED.toNanos();
            for (long left = UNTIL_PARKED.toNanos(); left > 0; left = ready - System.nanoTime())
                LockSupport.parkNanos(left);
            long acked = System.nanoTime();
            first.ack(step);
            List<HttpWorker.Handed> jobs = next.get();
            if (jobs.size() != 1) throw new IllegalStateException("the next step did not come");
            samples.add(acked, arrived[0], 1);
            second.ack(jobs.getFirst());
            return 1;
        }

        @Override
        public void close() {
            parked.shutdownNow();
            producer.close();
            first.close();
            second.close();
        }
    }

    /** From the creation of a chain of 10 empty steps to the ack of the last, with one worker. */
    public Measurement chainOfTen(boolean isAcross) throws Exception {
        List<String> queues = queues("-ten" + isAcross, isAcross);
        byte[] chain = chain(queues, STEPS);
        String how = "creation to last ack, one worker, queues " + where(isAcross);
        return settings.load(1).onThreads("chain of 10 " + where(isAcross), how, "chains", caller -> {
            HttpConnection connection = settings.connect();
            return operation(connection, worker -> {
                var unused = connection.post(WORKFLOWS, chain, 201);
                run(worker, queues, STEPS, 1);
                return 1;
            });
        });
    }

    /** What steps are held against. */
    public Measurement plainJobs(boolean isAcross) throws Exception {
        String how = "batches of %d, fetches of %d, single acks, %s"
                .formatted(STEPS, WORKFLOWS_AT_ONCE, settings.loop(callers + " connections"));
        return settings.load(callers).onThreads("plain jobs " + where(isAcross), how, "jobs", caller -> {
            HttpConnection connection = settings.connect();
            List<String> queues = queues(suffix("-plain", caller, isAcross), isAcross);
            byte[] batch = batch(queues, STEPS);
            return operation(connection, worker -> {
                for (int i = 0; i < WORKFLOWS_AT_ONCE; i++) {
                    var unused = connection.post(BATCHES, batch, 201);
                }
                run(worker, queues, WORKFLOWS_AT_ONCE * STEPS, WORKFLOWS_AT_ONCE);
                return WORKFLOWS_AT_ONCE * STEPS;
            });
        });
    }

    public Measurement steps(boolean isAcross) throws Exception {
        String how = "chains of %d, %d at once, fetches of %d, single acks, %s"
                .formatted(STEPS, WORKFLOWS_AT_ONCE, WORKFLOWS_AT_ONCE, settings.loop(callers + " connections"));
        return settings.load(callers).onThreads("steps " + where(isAcross), how, "steps", caller -> {
            HttpConnection connection = settings.connect();
            List<String> queues = queues(suffix("-steps", caller, isAcross), isAcross);
            byte[] chain = chain(queues, STEPS);
            return operation(connection, worker -> {
                for (int i = 0; i < WORKFLOWS_AT_ONCE; i++) {
                    var unused = connection.post(WORKFLOWS, chain, 201);
                }
                run(worker, queues, WORKFLOWS_AT_ONCE * STEPS, WORKFLOWS_AT_ONCE);
                return WORKFLOWS_AT_ONCE * STEPS;
            });
        });
    }

    /** Chains of 10 that do not go on, since no worker fetches their jobs: what they cost in memory and on disk can be looked at. */
    public Measurement unfinished(int count) throws Exception {
        settings.prepare();
        Counter next = new Counter(count);
        long begun = System.nanoTime();
        Samples samples = new Samples(new MeasuredWindow(begun, Long.MAX_VALUE));
        Crew.work(callers, caller -> {
            byte[] chain = chain(List.of("%s-unfinished-%d".formatted(settings.queue(), caller)), STEPS);
            try (HttpConnection connection = settings.connect()) {
                while (!next.take(1).isEmpty()) {
                    long start = System.nanoTime();
                    var unused = connection.post(WORKFLOWS, chain, 201);
                    samples.add(start, System.nanoTime(), 1);
                }
            }
        });
        return new Measurement(
                "unfinished workflows",
                "creation of %,d chains of %d, %d connections".formatted(count, STEPS, callers),
                "workflows",
                samples.units(),
                new MeasuredWindow(begun, System.nanoTime()),
                Samples.merge(List.of(samples)),
                Optional.empty(),
                new Errors());
    }

    /** Callers have queues of their own: all of them in one partition, or anywhere. */
    private String suffix(String name, int caller, boolean isAcross) {
        String first = settings.queue() + name;
        return Stream.iterate(0, i -> i + 1)
                .map(i -> "%s-%b-%d-%d".formatted(name, isAcross, caller, i))
                .filter(each ->
                        isAcross || routing.ofQueue(settings.queue() + each).equals(routing.ofQueue(first)))
                .findFirst()
                .orElseThrow();
    }

    private interface Work {
        int run(HttpWorker worker) throws Exception;
    }

    private static LoadOperation operation(HttpConnection connection, Work work) {
        HttpWorker worker = new HttpWorker(connection, "bench-" + System.identityHashCode(connection));
        return new LoadOperation() {
            @Override
            public int run(long due) throws Exception {
                return work.run(worker);
            }

            @Override
            public void close() {
                worker.close();
            }
        };
    }

    private static void run(HttpWorker worker, List<String> queues, int count, int atOnce) throws Exception {
        for (int left = count; left > 0; ) {
            List<HttpWorker.Handed> jobs = worker.fetch(queues, Math.min(left, atOnce), PATIENCE);
            if (jobs.isEmpty()) throw new IllegalStateException("%d jobs did not come".formatted(left));
            for (HttpWorker.Handed job : jobs) worker.ack(job);
            left -= jobs.size();
        }
    }
}
