package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.queue.job.TenantRecount;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.wait.WaitQueue;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.topics.command.WantedJobs;
import java.util.List;

/** Jobs are sorted by tenant in those queues where a fetch has named tenants. */
public record TenantSorting(Queues queues, Waiters waiters, TenantRecount recount) {
    /** Sorts these queues by tenant, since a fetch asks for jobs of tenants. */
    void sortFor(List<String> names, WantedJobs wanted) {
        if (!wanted.nameTenants()) return;
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue != null) sort(queue);
        }
    }

    /** The queue has jobs by now, and may not have existed when those began to wait that wait at it. */
    void sortForWaiters(Queue queue) {
        WaitQueue line = waiters.at(queue.name);
        if (line != null && line.namesTenants()) sort(queue);
    }

    private void sort(Queue queue) {
        if (queue.ready().size() > 0) recount.sort(queue);
    }
}
