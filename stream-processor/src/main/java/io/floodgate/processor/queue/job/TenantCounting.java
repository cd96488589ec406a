package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.queue.TenantId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
    private final TenantAccounts accounts;
    private final Undo undo;
    /** What the job that is changed just now used. */
    private @Nullable Use left;

    public TenantCounting(Queues queues, Payloads payloads, TenantTurns turns, TenantAccounts accounts, Undo undo) {
        this.turns = turns;
        this.accounts = accounts;
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
        Use now = use(job);
        Use before = left;
        left = null;
        if (!Objects.equals(now, before)) {
            countInAll(before, -1);
            countInAll(now, 1);
        }
        countIn(job, queue, 1);
    }

    /** Takes the job out until it is put back, or {@link #goes}: what it uses is counted then. */
    void leave(JobRecord job, Queue queue) {
        left = use(job);
        countIn(job, queue, -1);
    }

    @Override
    public void rollBack() {
        left = null;
    }

    private void countInAll(@Nullable Use use, int more) {
        if (use == null) return;
        for (GrantKey key : use.keys()) accounts.count(key, use.queue, more);
    }

    /** What a job uses of the bounds of its tenant over all queues. */
    private record Use(String tenant, String queue, boolean runs) {
        static Use of(String tenant, JobRecord job) {
            // mutant: running-counted
            return new Use(tenant, job.queue, job.state == JobState.ACTIVE);
        }

        List<GrantKey> keys() {
            return runs ? List.of(GrantKey.jobs(tenant), GrantKey.running(tenant)) : List.of(GrantKey.jobs(tenant));
        }
    }

    private @Nullable Use use(JobRecord job) {
        // mutant: tenant-way-in
        return accounts.counts(job.id) && counts(job) ? Use.of(know(job), job) : null;
    }

    /** The job that left is not put back: it uses nothing any more. */
    void goes() {
        countInAll(left, -1);
        left = null;
    }

    /** Adds the job to what is counted again. */
    public void recount(JobRecord job, Map<GrantKey, Map<String, Long>> into) {
        if (!accounts.counts(job.id) || !counts(job)) return;
        for (GrantKey key : Use.of(tenant(job), job).keys())
            into.computeIfAbsent(key, any -> new TreeMap<>()).merge(job.queue, 1L, Long::sum);
    }

    private void countIn(JobRecord job, Queue queue, int more) {
        TenantJobs tenants = queue.tenants;
        if (tenants == null || !queue.countsTenantOf(job.id) || !counts(job)) return;
        String tenant = know(job);
        tenants.count(tenant, more);
        undo.by(() -> tenants.count(tenant, -more));
    }

    private String know(JobRecord job) {
        String tenant = tenant(job);
        job.tenant = tenant;
        return tenant;
    }

    /** Counts a job that has been there for long in the count of all queues. */
    void enterAll(JobRecord job) {
        if (counts(job)) countInAll(Use.of(know(job), job), 1);
    }

    /** Returns whether the job counts for its tenant: a victim of a batch counts if the batch takes less. */
    public static boolean counts(JobRecord job) {
        return job.isLive() && (job.promise == null || job.promise.countsForTenant());
    }

    /** Counts a job that has been there for long, with its position in the ready order. */
    void enterLate(JobRecord job, Queue queue, boolean aside) {
        countIn(job, queue, 1);
        TenantJobs tenants = queue.tenants;
        String tenant = job.tenant;
        if (tenants == null || tenant == null || aside || !job.isReady()) return;
        int priority = job.priority;
        long rank = job.rank;
        tenants.addReady(tenant, priority, rank, job.id);
        undo.by(() -> tenants.removeReady(tenant, priority, rank, job.id));
    }

    /** Counts a job while a partition is loaded. */
    void put(JobRecord job, Queue queue) {
        TenantJobs tenants = queue.tenants;
        String tenant = job.tenant;
        if (tenant != null && accounts.counts(job.id) && counts(job))
            Use.of(tenant, job).keys().forEach(key -> accounts.put(key, job.queue));
        if (tenants != null && tenant != null && queue.countsTenantOf(job.id) && counts(job)) tenants.count(tenant, 1);
    }

    /** Grant of a job that had ended: it did not count, and needs one where it comes. */
    private static final long WITHOUT = 0;

    /** The message that said so is lost. */
    public static final long UNKNOWN = -1;

    /** Returns the grant that goes with a job to another queue. */
    public @Nullable Long grant(JobRecord job) {
        if (!counts(job)) return WITHOUT;
        return accounts.isActive() ? accounts.grant(tenant(job)) : null;
    }

    public static boolean isWithout(@Nullable Long grant) {
        return grant != null && grant == WITHOUT;
    }

    /** A job goes to another partition, with this grant. */
    public void leaves(JobRecord job, @Nullable Long grant) {
        if (!accounts.isActive() || grant == null || !counts(job)) return;
        String tenant = tenant(job);
        accounts.leaves(tenant, grant == UNKNOWN ? accounts.grant(tenant) : grant);
    }

    /** A job comes from another partition, with this grant. */
    public void arrives(JobRecord job, byte[] payload, @Nullable Long grant) {
        boolean isBounded = accounts.isActive() || grant != null;
        if (isBounded && !isWithout(grant)) accounts.arrives(TenantId.of(payload), grant);
    }

    /** Returns the tenant of the job, also of one that had ended before tenants were counted. */
    public String tenant(JobRecord job) {
        return job.tenant == null ? payloads.tenant(job) : job.tenant;
    }
}
