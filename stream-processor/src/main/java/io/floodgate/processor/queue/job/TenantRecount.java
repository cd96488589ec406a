package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.kernel.Work.Piece;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.queue.Overflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the jobs of each tenant in a queue that has jobs already when its first bound for tenants is set, or they are fetched by
 * tenant: a slice at a time, the first one at once, in the order of ids. Jobs before the place reached are counted as they come and
 * go ({@link TenantCounting}), and others are left for when their turn comes. Until all are counted a bound may let in more than
 * it allows; it never rejects what would fit. Where tenants take turns, or some fetch by tenant, a job is put with its tenant's as
 * it is counted.
 */
public final class TenantRecount {
    private static final String KIND = "count-tenants";
    private static final JobId FIRST = new JobId(0, 0);
    private static final byte[] MORE = {1};

    private final Queues queues;
    private final Jobs jobs;
    private final TenantCounting tenants;
    private final TenantAccounts accounts;
    private final Work work;

    public TenantRecount(Queues queues, Jobs jobs, TenantCounting tenants, TenantAccounts accounts, Work work) {
        this.queues = queues;
        this.jobs = jobs;
        this.tenants = tenants;
        this.accounts = accounts;
        this.work = work;
        work.register(KIND, this::next);
    }

    /** The queue has a new configuration. */
    public void follow(Queue queue) {
        boolean isFair = queue.config().policy().isFair();
        boolean drops = accounts.isCounting() && queue.config().overflow() == Overflow.DROP_OLDEST;
        boolean wanted = isFair || drops || !queue.config().tenants().isNone();
        if (isFair && queue.fair() == null) {
            tenants.beginFair(queue);
            countAll(queue);
        } else if (wanted && !queue.countsTenants()) {
            begin(queue);
        }
        // The order of turns, once there is one, is kept until no job is in it.
        if (!wanted && (queue.fair() == null || queue.ready().size() == 0)) tenants.end(queue);
    }

    /**
     * Sorts the queue by tenant, since fetches want jobs of some tenants: each of these gets a sub-queue, for as long
     * as the configuration stays.
     */
    public void sort(Queue queue) {
        if (queue.fair() != null) return;
        tenants.beginFair(queue);
        countAll(queue);
    }

    private void begin(Queue queue) {
        tenants.begin(queue);
        countAll(queue);
    }

    private void countAll(Queue queue) {
        queues.changed(queue);
        if (queue.counts.depth() == 0) queue.countTenantsBefore(null);
        else if (countSome(queue, FIRST)) work.begin(KIND, queue.name, null);
    }

    /** Counts the queue again, since it is no longer known how some job was counted. */
    public void countAgain(Queue queue) {
        if (!queue.countsTenants()) return;
        if (queue.fair() != null) {
            countInPlace(queue);
            return;
        }
        tenants.end(queue);
        begin(queue);
    }

    /** Counts the tenants of all queues again, for the same reason. */
    public void countAllAgain() {
        if (!accounts.isCounting()) return;
        Map<GrantKey, Map<String, Long>> found = new TreeMap<>();
        jobs.visitAll(job -> tenants.recount(job, found));
        accounts.recount(found);
    }

    /** Their jobs stay in the order of turns, where they are by tenant. */
    private void countInPlace(Queue queue) {
        Map<String, Long> found = new TreeMap<>();
        jobs.visitAll(job -> {
            if (job.queue.equals(queue.name) && queue.countsTenantOf(job.id) && TenantCounting.counts(job))
                found.merge(tenants.tenant(job), 1L, Long::sum);
        });
        tenants.recount(queue, found);
    }

    private byte @Nullable [] next(Piece piece) {
        Queue queue = queues.find(piece.subject());
        JobId from = queue == null ? null : queue.tenantsCountedBefore();
        if (queue == null || from == null) return null;
        queues.changed(queue);
        return countSome(queue, from) ? MORE : null;
    }

    /** Counts a slice. Returns false if it was the last. */
    private boolean countSome(Queue queue, JobId from) {
        List<JobId> some = new ArrayList<>();
        JobId next = jobs.collectLive(queue, from, some);
        queue.countTenantsBefore(next);
        some.forEach(id -> jobs.countTenant(id, queue));
        queues.toServe(queue);
        return next != null;
    }
}
