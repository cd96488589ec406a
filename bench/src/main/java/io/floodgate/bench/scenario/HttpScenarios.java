package io.floodgate.bench.scenario;

import io.floodgate.bench.load.Part;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Requests of producers and workers over HTTP. */
final class HttpScenarios {
    private static final Duration PARKED = Duration.ofSeconds(2);

    private HttpScenarios() {}

    /** Returns callers that enqueue single jobs. */
    static Part enqueueing(Session session, String name, JobBodies jobs) {
        AtomicLong numbers = new AtomicLong();
        return session.part(name, "jobs", (worker, due, steps) -> {
            worker.send(Session.JOBS, jobs.json(numbers.incrementAndGet()), 201);
            return 1;
        });
    }

    static void enqueue(Session session) throws Exception {
        session.measure(enqueueing(session, "enqueue", session.jobs("-single")));
    }

    static void unique(Session session) throws Exception {
        JobBodies jobs = session.jobs("-unique");
        JobBodies anywhere = jobs.unique("{\"keys\":[\"type\",\"args\"]}");
        JobBodies inQueue = jobs.unique("{\"keys\":[\"type\",\"queue\",\"args\"]}");
        session.measure(enqueueing(session, "without a key", jobs));
        session.measure(enqueueing(session, "the queue in the key", inQueue));
        session.measure(enqueueing(session, "keys of any partition", anywhere));
        byte[] same = anywhere.json(0);
        try (HttpWorker first = session.worker(0)) {
            first.send(Session.JOBS, same, 201);
        }
        session.measure(session.part("duplicates of one job", "jobs", (worker, due, steps) -> {
            worker.send(Session.JOBS, same, 409);
            return 1;
        }));
    }

    /** Enqueues through either topic, in turns. */
    static void enqueueWays(Session session) throws Exception {
        for (int turn = 1; turn <= session.shape().count(); turn++) {
            for (String way : List.of("commands", "queue-topic")) {
                JobBodies jobs = session.jobs("-%s-%d".formatted(way, turn));
                JsonOut queue = new JsonOut().beginObject().field("name", jobs.queue());
                byte[] body = queue.field("enqueue_through", way).endObject().toBytes();
                try (HttpWorker admin = session.worker(0)) {
                    admin.send("/ojs/v1/queues", body, 201);
                }
                session.measure(enqueueing(session, "enqueue through %s, turn %d".formatted(way, turn), jobs));
            }
        }
    }

    static void batch(Session session) throws Exception {
        JobBodies jobs = session.jobs("-batch");
        int size = session.shape().size();
        session.measure(session.part("batches of %d".formatted(size), "jobs", (worker, due, steps) -> {
            worker.send(Session.BATCHES, jobs.batch(0, size), 201);
            return size;
        }));
    }

    static void lifecycle(Session session) throws Exception {
        session.measure(lives(session, "lifecycle"));
    }

    /** Returns callers that enqueue jobs one by one, fetch them together, and ack them one by one. */
    static Part lives(Session session, String name) {
        JobBodies jobs = session.jobs("-lifecycle");
        int size = session.shape().size();
        // Those of a key that another caller has in hand are to be waited for.
        Duration wait = session.orderKeys() == 0 ? Duration.ZERO : PARKED;
        return session.part(name, "jobs", (worker, due, steps) -> {
            for (int i = 0; i < size; i++) {
                long start = System.nanoTime();
                worker.send(Session.JOBS, jobs.json(i), 201);
                steps.took("enqueue", start);
            }
            for (int left = size; left > 0; ) {
                long asked = System.nanoTime();
                List<HttpWorker.Fetched> fetched = worker.fetch(List.of(jobs.queue()), left, wait);
                steps.took("fetch", asked);
                for (HttpWorker.Fetched job : fetched) {
                    long start = System.nanoTime();
                    worker.ack(job);
                    steps.took("ack", start);
                }
                left -= fetched.size();
                // Every caller has enqueued as many as it fetches, so there are always enough for all of them.
                if (left > 0 && wait.isZero())
                    throw new IllegalStateException("only %d of %d jobs came".formatted(size - left, size));
            }
            return size;
        });
    }

    /** Measures from the time at which a job was due to be enqueued to its start by a worker that waits. */
    static void handoff(Session session) throws Exception {
        JobBodies jobs = session.jobs("-handoff");
        AtomicLong numbers = new AtomicLong();
        Map<Long, Long> underWay = new ConcurrentHashMap<>();
        Part producers = session.part("handoff: producers", "jobs", (worker, due, steps) -> {
            long number = numbers.incrementAndGet();
            underWay.put(number, due);
            worker.send(Session.JOBS, jobs.json(number), 201);
            return 1;
        });
        Part workers = session.part("handoff", "jobs", (worker, due, steps) -> {
                    List<HttpWorker.Fetched> fetched = worker.fetch(List.of(jobs.queue()), 1, PARKED);
                    long now = System.nanoTime();
                    for (HttpWorker.Fetched job : fetched) {
                        Long from = underWay.remove(job.number());
                        if (from != null) steps.took("start", from, now);
                        worker.ack(job);
                    }
                    return fetched.size();
                })
                .atRate(0);
        session.measure(workers, producers);
    }
}
