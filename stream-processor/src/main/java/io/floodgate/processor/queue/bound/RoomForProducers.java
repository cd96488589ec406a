package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Queue;
import java.util.Map;

/** Decides whether there is capacity in a queue for the jobs of a producer. */
interface RoomForProducers {
    /** @param isOwn the system has made the jobs: they never drop others */
    boolean isFor(Queue queue, long jobs, long bytes, boolean isOwn);

    /** Returns whether the bounds of tenants allow these numbers of jobs. */
    boolean isForTenants(Queue queue, Map<String, Long> jobs);
}
