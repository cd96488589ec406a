package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Queue;
import java.util.Map;

/** Whether there is room in a queue for the jobs of a producer. */
interface RoomForProducers {
    boolean isFor(Queue queue, long jobs, long bytes);

    /** Whether the bounds of tenants leave room for these numbers of jobs. */
    boolean isForTenants(Queue queue, Map<String, Long> jobs);
}
