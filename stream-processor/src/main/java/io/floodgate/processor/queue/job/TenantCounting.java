package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.topics.JobId;
import java.util.Map;

/**
 * Counts the jobs of each tenant as they come and go, in those queues that bound their tenants or let them take turns.
 * Jobs that are there already when a queue's first bound is set are counted by {@link TenantRecount}: jobs before the
 * position that it has reached are counted here.
 */
public final class TenantCounting implements Entity {
    private final TenantJobs.Total total = new TenantJobs.Total();
    private final Queues queues;
    private final Payloads payloads;
    private final TenantTurns turns;
    private final Undo undo;

    public TenantCounting(Queues queues, Payloads payloads, TenantTurns turns, Undo undo) {
        this.turns = turns;
        this.queues = queues;
        this.payloads = payloads;
        this.undo = undo;
    }

    @Override
    public void load() {
        total.clear();
        for (Queue queue : queues.all())
            if (queue.countsTenants()) queue.tenants = new TenantJobs(total, queue.fair() != null);
    }

    public long memoryBytes() {
        return total.bytes();
    }

    /** Begins with all jobs of the queue still to be counted. */
    void begin(Queue queue) {
        queue.tenants = new TenantJobs(total, queue.fair() != null);
        undo.by(() -> queue.tenants = null);
    }

    /** The same, and tenants take turns. */
    void beginFair(Queue queue) {
        end(queue);
        queue.beginFair();
        undo.by(() -> queue.follow(null));
        begin(queue);
    }

    /** Takes the counts of these jobs, in a queue whose tenants stay in their order. */
    void recount(Queue queue, Map<String, Long> found) {
        TenantJobs tenants = queue.tenants;
        if (tenants == null) return;
        Map<String, Long> before = tenants.depths();
        tenants.recount(found);
        undo.by(() -> tenants.recount(before));
    }

    public void end(Queue queue) {
        TenantJobs before = queue.tenants;
        if (before == null) return;
        turns.end(queue);
        JobId reached = queue.tenantsCountedBefore();
        before.leaveTotal();
        queue.tenants = null;
        queue.countNoTenants();
        undo.by(() -> {
            queue.tenants = before;
            before.enterTotal();
            queue.countTenantsBefore(reached);
        });
    }

    /** Counts a job before it gets its position in the ready order. */
    void enter(JobRecord job, Queue queue) {
        count(job, queue, 1);
    }

    void leave(JobRecord job, Queue queue) {
        count(job, queue, -1);
    }

    private void count(JobRecord job, Queue queue, int more) {
        TenantJobs tenants = queue.tenants;
        if (tenants == null || !queue.countsTenantOf(job.id) || !counts(job)) return;
        String tenant = job.tenant == null ? payloads.tenant(job) : job.tenant;
        job.tenant = tenant;
        tenants.count(tenant, more);
        undo.by(() -> tenants.count(tenant, -more));
    }

    /** Returns whether the job counts for its tenant: a victim of a batch counts if the batch takes less. */
    public static boolean counts(JobRecord job) {
        return job.isLive() && (job.promise == null || job.promise.countsForTenant());
    }

    /** Counts a job that has been there for long, with its position in the ready order. */
    void enterLate(JobRecord job, Queue queue, boolean aside) {
        enter(job, queue);
        TenantJobs tenants = queue.tenants;
        String tenant = job.tenant;
        if (tenants == null || tenant == null || aside || !job.isReady()) return;
        int priority = job.priority;
        long rank = job.rank;
        tenants.addReady(tenant, priority, rank, job.id);
        undo.by(() -> tenants.removeReady(tenant, priority, rank, job.id));
    }

    /** Counts a job while a partition is loaded. */
    static void put(JobRecord job, Queue queue) {
        TenantJobs tenants = queue.tenants;
        String tenant = job.tenant;
        if (tenants != null && tenant != null && queue.countsTenantOf(job.id) && counts(job)) tenants.count(tenant, 1);
    }

    /** Returns the tenant of the job, also of one that had ended before tenants were counted. */
    public String tenant(JobRecord job) {
        return job.tenant == null ? payloads.tenant(job) : job.tenant;
    }
}
