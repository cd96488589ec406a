package io.floodgate.processor.queue.lifecycle;

import io.floodgate.processor.limit.LimitCommands;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.QueueChange.Deleted;
import io.floodgate.processor.queue.state.Queues;

/** The end of a queue, and of everything that goes with it. */
public record QueueEnd(Queues queues, TenantCounting tenants, IngressPartitions ingresses, LimitCommands limits) {
    void end(Queue queue) {
        tenants.end(queue);
        ingresses.end(queue);
        queues.apply(new Deleted(), queue);
        limits.endOfQueue(queue.name);
    }
}
