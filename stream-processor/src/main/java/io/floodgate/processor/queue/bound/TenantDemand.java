package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.PressureLevels;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.queue.TenantId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The capacity that new jobs need in a queue that bounds its tenants, or of tenants with a bound over all queues, by tenant;
 * nothing where tenants make no difference.
 *
 * @param lacking jobs without a grant of the bound over all queues
 * @param all jobs that come in together, in all queues; empty if none lacks a grant
 */
record TenantDemand(Queue queue, Map<String, Long> jobs, Map<String, Long> lacking, Map<String, Long> all) {
    TenantDemand(Queue queue, Map<String, Long> jobs) {
        this(queue, jobs, Collections.emptyMap(), Collections.emptyMap());
    }

    static TenantDemand of(Queue queue, JobRecord job, TenantCounting tenants, boolean isOverAll) {
        return isOverAll || queue.countsTenants()
                ? new TenantDemand(queue, Collections.singletonMap(tenants.tenant(job), 1L))
                : nothing(queue);
    }

    static TenantDemand of(Queue queue, List<Envelope> jobs, boolean isOverAll) {
        if (!isOverAll && !queue.countsTenants()) return nothing(queue);
        Map<String, Long> sum = new TreeMap<>();
        for (Envelope job : jobs)
            if (job.queue().equals(queue.name)) sum.merge(TenantId.of(job.members()), 1L, Long::sum);
        return new TenantDemand(queue, sum);
    }

    static TenantDemand nothing(Queue queue) {
        return new TenantDemand(queue, Collections.emptyMap());
    }

    long bound(String tenant) {
        return queue.config().tenants().of(tenant);
    }

    /** Returns how many jobs too many this would make. */
    long over(String tenant) {
        long bound = bound(tenant);
        // mutant: tenant-bound
        long own = bound == 0 ? 0 : Math.max(0, queue.depthOf(tenant) + jobs.getOrDefault(tenant, 0L) - bound);
        return Math.max(own, lacking.getOrDefault(tenant, 0L));
    }

    /** Returns whether the bound over all queues is the one that is reached. */
    boolean lacks(String tenant) {
        return lacking.getOrDefault(tenant, 0L) > 0;
    }

    boolean fits() {
        return full() == null;
    }

    /** Returns the first tenant whose bound is reached. */
    @Nullable
    String full() {
        for (String tenant : jobs.keySet()) if (over(tenant) > 0) return tenant;
        return null;
    }

    /** The first tenant who has more here than its bound, were there nothing else of it. */
    @Nullable
    String neverFitting() {
        for (Map.Entry<String, Long> own : jobs.entrySet()) {
            long bound = bound(own.getKey());
            if (bound > 0 && own.getValue() > bound) return own.getKey();
        }
        return null;
    }

    /** Returns the rejection with the tenant's figures instead of the queue's. */
    Rejection describe(Rejection rejection, String tenant) {
        long depth = queue.depthOf(tenant);
        long bound = bound(tenant);
        return rejection
                .with("tenant_id", tenant)
                .with("limit", TenantJobs.LIMIT)
                .with("current", depth)
                .with("maximum", bound)
                .with("queue", queue.name)
                .with("depth", depth)
                .with("bound", bound)
                .with("max_depth", bound)
                .with("strategy", queue.config().overflow().wire())
                .with("dimension", "tenant_depth")
                .with("pressure", PressureLevels.rounded((double) depth / Math.max(1, bound)))
                .with("queue_depth", queue.counts.depth())
                .with("version", queue.version);
    }
}
