package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Queue;
import io.floodgate.topics.queue.Overflow;
import java.util.Map;

/** Capacity for waiting producers. A queue whose deletion is certain lets all in, to be rejected. */
record ProducerSpace(DroppedJobs dropped, GrantChecks grants) implements RoomForProducers {
    @Override
    public boolean isFor(Queue queue, long jobs, long bytes, boolean isOwn) {
        if (queue.ending() != null) return !queue.ending().isAsking();
        return (makesRoom(queue) && !isOwn && dropped.mayBeMore())
                || new RequiredCapacity(queue, jobs, bytes, "", TenantDemand.nothing(queue)).fits();
    }

    @Override
    public boolean isForTenants(Queue queue, Map<String, Long> jobs) {
        if (queue.ending() != null) return !queue.ending().isAsking();
        return makesRoom(queue) || (new TenantDemand(queue, jobs).fits() && grants.areThere(jobs));
    }

    /** Returns whether the queue drops jobs: no producer waits for capacity there. */
    private static boolean makesRoom(Queue queue) {
        // mutant: drop-oldest
        return queue.config().overflow() == Overflow.DROP_OLDEST;
    }
}
