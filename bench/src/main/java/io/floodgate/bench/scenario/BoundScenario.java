package io.floodgate.bench.scenario;

import io.floodgate.bench.load.Part;

/** A flood at a full queue: the cost of rejections, and what another queue of the same partition notices. */
final class BoundScenario {
    private static final LoadShape NEIGHBOURS = LoadShape.of(4, 1).atRate(200);
    private static final String REJECT = "reject";

    private BoundScenario() {}

    static void measure(Session session) throws Exception {
        session.measure(HttpScenarios.enqueueing(session, "bounds: taken, without a bound", session.jobs("-single")));
        JobBodies jobs = session.jobs("-full");
        PlacedNames queues = new PlacedNames(session.routing());
        String other = queues.in(queues.of(jobs.queue()), session.queue("-neighbour"));
        int depth = session.shape().count();
        try (MeasuredQueue queue = MeasuredQueue.connect(session, jobs.queue());
                HttpWorker producer = session.worker(0)) {
            queue.bound(depth, REJECT);
            for (int i = 0; i < depth; i++) producer.send(Session.JOBS, jobs.json(i), 201);
            session.measure(neighbours(session, other, "bounds: neighbour, alone"));
            Part flood = session.part("bounds: rejected, queue full", "rejections", (worker, due, steps) -> {
                worker.send(Session.JOBS, jobs.json(due), 429);
                return 1;
            });
            session.measure(flood, neighbours(session, other, "bounds: neighbour, in the flood"));
            queue.bound(0, REJECT);
        }
    }

    private static Part neighbours(Session session, String queue, String name) {
        return HttpScenarios.enqueueing(session.with(NEIGHBOURS), name, new JobBodies(queue));
    }
}
