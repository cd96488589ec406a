package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Queue;
import java.util.Map;

/** Whether there is room in a queue for the jobs of a producer. */
interface RoomForProducers {
    /** @param isOwn the system has made the jobs: they never drop others */
    boolean isFor(Queue queue, long jobs, long bytes, boolean isOwn);

    /** Whether the bounds of tenants leave room for these numbers of jobs. */
    boolean isForTenants(Queue queue, Map<String, Long> jobs);
}
