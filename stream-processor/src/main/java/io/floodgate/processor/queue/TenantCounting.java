package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.kernel.Work.Piece;
import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the jobs of each tenant, in those queues that bound their tenants. A queue that has jobs already when its first
 * bound is set is counted a slice at a time, the first one at once, in the order of ids: jobs before the place reached are
 * counted as they come and go, and others are left for when their turn comes. Until all are counted a bound may let in more
 * than it allows; it never refuses what would fit.
 */
final class TenantCounting {
    static final int SLICE = 500;

    /** The jobs of a slice are read whole. */
    static final long SLICE_BYTES = 1024 * 1024;

    private static final String KIND = "count-tenants";
    private static final JobId FIRST = new JobId(0, 0);
    private static final byte[] MORE = {1};

    private final TenantJobs.Total total = new TenantJobs.Total();
    private final Queues queues;
    private final Payloads payloads;
    private final Work work;
    private final Undo undo;

    TenantCounting(Queues queues, Payloads payloads, Work work, Undo undo) {
        this.queues = queues;
        this.payloads = payloads;
        this.work = work;
        this.undo = undo;
    }

    void load() {
        total.clear();
        for (Queue queue : queues.all()) if (queue.countsTenants()) queue.tenants = new TenantJobs(total);
    }

    long memoryBytes() {
        return total.bytes();
    }

    /** The queue has a new configuration. */
    void follow(Queue queue, Jobs jobs) {
        boolean wanted = !queue.config().tenants().isNone();
        if (wanted && !queue.countsTenants()) begin(queue, jobs);
        if (!wanted) end(queue);
    }

    private void begin(Queue queue, Jobs jobs) {
        queue.tenants = new TenantJobs(total);
        undo.by(() -> queue.tenants = null);
        queues.changed(queue);
        if (queue.counts.depth() == 0) queue.tenantsAreCounted();
        else if (countSome(queue, FIRST, jobs)) work.begin(KIND, queue.name, null);
    }

    void end(Queue queue) {
        TenantJobs before = queue.tenants;
        if (before == null) return;
        JobId reached = queue.tenantsCountedBefore();
        before.leaveTotal();
        queue.tenants = null;
        queue.countNoTenants();
        undo.by(() -> {
            queue.tenants = before;
            before.enterTotal();
            if (reached == null) queue.tenantsAreCounted();
            else queue.countTenantsBefore(reached);
        });
    }

    /** Nobody knows any more how some job was counted. */
    void countAnew(Queue queue, Jobs jobs) {
        if (!queue.countsTenants()) return;
        end(queue);
        begin(queue, jobs);
    }

    /** @param jobs in which there is a slice to count */
    void define(Jobs jobs) {
        work.define(KIND, piece -> next(piece, jobs));
    }

    private byte @Nullable [] next(Piece piece, Jobs jobs) {
        Queue queue = queues.find(piece.subject());
        JobId from = queue == null ? null : queue.tenantsCountedBefore();
        if (queue == null || from == null) return null;
        queues.changed(queue);
        return countSome(queue, from, jobs) ? MORE : null;
    }

    /** False if these were the last. */
    private static boolean countSome(Queue queue, JobId from, Jobs jobs) {
        List<JobId> some = new ArrayList<>();
        JobId next = jobs.collectLive(queue, from, some);
        if (next == null) queue.tenantsAreCounted();
        else queue.countTenantsBefore(next);
        some.forEach(jobs::countTenant);
        return next != null;
    }

    /** Before its place in the ready order is taken. */
    void enter(Job job, Queue queue) {
        count(job, queue, 1);
    }

    void leave(Job job, Queue queue) {
        count(job, queue, -1);
    }

    private void count(Job job, Queue queue, int more) {
        TenantJobs tenants = queue.tenants;
        if (tenants == null || !queue.countsTenantOf(job.id) || !job.isLive()) return;
        String tenant = job.tenant == null ? payloads.tenant(job) : job.tenant;
        job.tenant = tenant;
        tenants.count(tenant, more);
        undo.by(() -> tenants.count(tenant, -more));
    }

    /** A job that has been there for long, with its place in the ready order. */
    void enterLate(Job job, Queue queue, boolean aside) {
        enter(job, queue);
        TenantJobs tenants = queue.tenants;
        String tenant = job.tenant;
        if (tenants == null || tenant == null || aside || !job.isReady()) return;
        int priority = job.priority;
        long rank = job.rank;
        tenants.addReady(tenant, priority, rank, job.id);
        undo.by(() -> tenants.removeReady(tenant, priority, rank, job.id));
    }

    /** As a log is loaded. */
    static void put(Job job, Queue queue) {
        TenantJobs tenants = queue.tenants;
        String tenant = job.tenant;
        if (tenants != null && tenant != null && queue.countsTenantOf(job.id)) tenants.count(tenant, 1);
    }

    /** Whose job this is, also one that had ended before anybody counted. */
    String tenant(Job job) {
        return job.tenant == null ? payloads.tenant(job) : job.tenant;
    }
}
