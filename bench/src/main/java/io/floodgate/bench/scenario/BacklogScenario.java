package io.floodgate.bench.scenario;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Part;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Very many jobs in one queue: a tenth of them after the other, to see whether a job costs the same however many there are. */
final class BacklogScenario {
    private static final int SLICES = 10;
    private static final int FETCH = 100;
    private static final Duration LAST_WAIT = Duration.ofSeconds(1);

    private final int count;
    private final BitSet seen = new BitSet();
    private long fetched;
    private boolean isEmpty;

    BacklogScenario(int count) {
        this.count = count;
    }

    static void measure(Session session) throws Exception {
        passThrough(session, "backlog", session.jobs("-backlog"), SLICES);
    }

    /** Enqueues jobs and finishes them, each in this many measurements. */
    static void passThrough(Session session, String name, JobBodies jobs, int slices) throws Exception {
        int count = session.shape().count();
        int size = session.shape().size();
        AtomicLong next = new AtomicLong();
        for (int slice = 1; slice <= slices; slice++) {
            long end = (long) count * slice / slices;
            Part part = session.part("%s: enqueue up to %,d".formatted(name, end), "jobs", (worker, due, steps) -> {
                long from = next.getAndAdd(size);
                int batch = Math.clamp(count - from, 0, size);
                if (batch > 0) worker.send(Session.BATCHES, jobs.batch(from, batch), 201);
                return batch;
            });
            session.until(() -> next.get() >= end, part);
        }
        BacklogScenario backlog = new BacklogScenario(count);
        Errors errors = new Errors();
        for (int slice = 1; slice <= slices; slice++) {
            long end = (long) count * slice / slices;
            Part part = session.part(
                    "%s: finish up to %,d".formatted(name, end),
                    "jobs",
                    (worker, due, steps) -> backlog.finish(worker, jobs.queue()));
            errors = session.until(() -> backlog.isDone(end), part).getFirst().errors();
        }
        backlog.report(errors);
    }

    private int finish(HttpWorker worker, String queue) throws Exception {
        List<HttpWorker.Fetched> jobs = worker.fetch(List.of(queue), FETCH, Duration.ZERO);
        if (jobs.isEmpty() && !isDone(count)) jobs = worker.fetch(List.of(queue), FETCH, LAST_WAIT);
        for (HttpWorker.Fetched job : jobs) {
            worker.ack(job);
            add(job.number());
        }
        if (jobs.isEmpty()) end();
        return jobs.size();
    }

    synchronized void add(long number) {
        seen.set(Math.toIntExact(number));
        fetched++;
    }

    private synchronized void end() {
        isEmpty = true;
    }

    private synchronized boolean isDone(long end) {
        return fetched >= end || isEmpty;
    }

    /** Reports jobs that did not come, or came more than once. */
    synchronized void report(Errors errors) {
        int distinct = seen.cardinality();
        if (distinct < count) errors.add("missing", "a job was enqueued and never fetched", count - distinct);
        if (fetched > distinct) errors.add("twice", "a job was acked and fetched again", fetched - distinct);
        if (seen.length() > count) errors.add("strange", "a job was fetched that was not enqueued", 1);
    }
}
