package io.floodgate.bench.scenario;

import io.floodgate.bench.load.Part;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Very many finished jobs whose retention ends at once: how long until they are gone, and who notices. */
final class RetentionScenario {
    /** The fewest jobs that finish in a second, on two cores. */
    private static final int SLOWEST = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LOOKS_PER_SECOND = 10;

    private RetentionScenario() {}

    static void measure(Session session) throws Exception {
        int count = session.shape().count();
        JobBodies jobs = session.jobs("-finished");
        PlacedNames queues = new PlacedNames(session.routing());
        String other = queues.in(queues.of(jobs.queue()), session.queue("-canary"));
        Duration kept = session.warmup().plus(session.measured()).plusSeconds(10 + count / SLOWEST);
        try (MeasuredQueue queue = MeasuredQueue.connect(session, jobs.queue())) {
            queue.keepCompleted(Duration.ofSeconds(kept.toSeconds()));
            BacklogScenario.passThrough(session, "retention", jobs, 1);
            var quiet = session.measure(canary(session, other, "retention: canary, quiet"));
            if (queue.jobs("completed") < count)
                quiet.getFirst().errors().add("early", "jobs were removed before the quiet canary was measured");
            while (queue.jobs("completed") == count) Thread.sleep(Duration.ofMillis(100));
            AtomicInteger left = new AtomicInteger(count);
            Part removed = Part.of("retention: jobs removed", "jobs", 1, (caller, steps) -> due -> {
                        int now = queue.jobs("completed");
                        return left.getAndSet(now) - now;
                    })
                    .atRate(LOOKS_PER_SECOND);
            session.until(() -> left.get() == 0, removed, canary(session, other, "retention: canary, meanwhile"));
        }
    }

    /** Returns one caller with one job at a time: any load that delays its partition delays it. */
    private static Part canary(Session session, String queue, String name) {
        JobBodies jobs = new JobBodies(queue);
        return session.with(LoadShape.of(1, 1)).part(name, "jobs", (worker, due, steps) -> {
            worker.send(Session.JOBS, jobs.json(due), 201);
            worker.finish(List.of(queue), 1, 1, PATIENCE);
            return 1;
        });
    }
}
