package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.tenant.GrantDemand;
import java.util.Map;

/** Producers that wait in any queue of this partition, by tenant. */
record TenantsWaiting(Map<String, ProducerWaitQueue> lines, Queues queues) {
    /** Looks at the queues where producers of the tenant wait, as the step ends. */
    void look(String tenant) {
        lines.forEach((name, line) -> {
            Queue queue = line.has(tenant) ? queues.find(name) : null;
            if (queue != null) queues.changed(queue);
        });
    }

    /** Returns the grants that producers of the tenant wait for, as far as there is room for their jobs in their queues. */
    GrantDemand demand(String tenant) {
        GrantDemand sum = GrantDemand.NONE;
        for (Map.Entry<String, ProducerWaitQueue> line : lines.entrySet()) {
            Queue queue = line.getValue().has(tenant) ? queues.find(line.getKey()) : null;
            if (queue == null) continue;
            long bound = queue.config().depthBound();
            long room = bound == 0 ? Long.MAX_VALUE : Math.max(0, bound - queue.counts.depth());
            sum = sum.and(line.getValue().demand(tenant, room));
        }
        return sum;
    }
}
