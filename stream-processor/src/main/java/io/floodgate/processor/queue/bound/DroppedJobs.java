package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.ReadyOrder;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.queue.QueueConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Chooses the jobs that are dropped for others, where the strategy of the queue is to drop the oldest. */
final class DroppedJobs {
    private static final ErrorReport OVERFLOW =
            new ErrorReport("overflow", "overflow", "The job made room for a newer one.", false, new byte[] {'{', '}'});

    private final Queues queues;
    private final Jobs jobs;
    private final TenantCounting tenants;
    private final TenantAccounts accounts;
    private final Pressure pressure;
    private final Effects out;
    /** Number of jobs that this step has dropped. */
    private int dropped;

    DroppedJobs(
            Queues queues, Jobs jobs, TenantCounting tenants, TenantAccounts accounts, Pressure pressure, Effects out) {
        this.queues = queues;
        this.jobs = jobs;
        this.tenants = tenants;
        this.accounts = accounts;
        this.pressure = pressure;
        this.out = out;
    }

    void endStep() {
        dropped = 0;
    }

    /** Returns whether more jobs may be dropped in this step. */
    boolean mayBeMore() {
        return left() > 0;
    }

    /**
     * The jobs that are to be dropped.
     *
     * @param areFirst there are more of them than one step can take, so that these do not make enough
     */
    record Victims(List<Bounds.Victim> some, boolean areEnough, boolean areFirst) {
        static final Victims TOO_FEW = new Victims(List.of(), false, false);
    }

    /**
     * Chooses the least urgent jobs, of those the oldest, and only available ones. A tenant that has reached its own
     * bound drops its own jobs before those of others. Where a bound was lowered, more is there than fits: each new job
     * drops one more than it needs, so that a thousand jobs are not lost at once.
     *
     * @param isBehind others wait for the free capacity: these jobs leave as much of it as they find
     */
    Victims choose(RequiredCapacity demand, boolean isBehind) {
        QueueConfig config = demand.queue().config();
        Excess depth = Excess.of(demand.overDepth(), demand.jobs(), isBehind && config.depthBound() > 0);
        Excess size = Excess.of(demand.overSize(), demand.bytes(), isBehind && config.sizeBound() > 0);
        // Nothing is read for those who are rejected anyway.
        if (demand.queue().ready().size() < depth.needed) return Victims.TOO_FEW;
        Map<JobId, JobRecord> some = new LinkedHashMap<>();
        long[] missing = {depth.wanted, size.wanted};
        boolean areEnough = true;
        for (Map.Entry<String, Long> jobs : demand.tenants().jobs().entrySet()) {
            String tenant = jobs.getKey();
            Excess own = Excess.of(demand.tenants().over(tenant), jobs.getValue(), false);
            if (own.wanted == 0) continue;
            TenantJobs all = demand.queue().tenants;
            int before = some.size();
            if (all != null && all.ready(tenant).size() >= own.needed)
                // mutant: tenant-victims
                choose(all.ready(tenant), some, missing, () -> some.size() < before + own.wanted);
            if (some.size() >= before + own.needed) continue;
            if (some.size() < left()) return Victims.TOO_FEW;
            areEnough = false;
        }
        if (missing[0] > 0 || missing[1] > 0)
            choose(demand.queue().ready(), some, missing, () -> missing[0] > 0 || missing[1] > 0);
        areEnough &= missing[0] <= depth.spare() && missing[1] <= size.spare();
        boolean areFirst = !areEnough && some.size() >= left();
        return areEnough || areFirst
                ? new Victims(victims(demand, some.values()), areEnough, areFirst)
                : Victims.TOO_FEW;
    }

    /**
     * The jobs, or bytes, that are too many.
     *
     * @param needed so that there is no more of it than before
     * @param wanted as far as there is so much
     */
    private record Excess(long needed, long wanted) {
        static Excess of(long over, long coming, boolean isAll) {
            long excess = isAll ? Math.max(over, coming) : over;
            return new Excess(Math.min(excess, coming), Math.min(excess, 2 * coming));
        }

        long spare() {
            return wanted - needed;
        }
    }

    /** Returns the number of jobs that may still be dropped in this step. */
    private int left() {
        return Bounds.MOST_DROPPED - dropped;
    }

    private List<Bounds.Victim> victims(RequiredCapacity demand, Collection<JobRecord> some) {
        List<Bounds.Victim> chosen = new ArrayList<>();
        Queue queue = demand.queue();
        Map<String, Long> ofTenants = new TreeMap<>();
        long taken = 0;
        long takenBytes = 0;
        for (JobRecord job : some) {
            taken++;
            takenBytes += job.sizeBytes;
            boolean isOf = queue.countsTenantOf(job.id) || accounts.counts(job.id);
            String tenant = isOf ? tenants.tenant(job) : null;
            boolean countsForTenant = tenant != null
                    && ofTenants.merge(tenant, 1L, Long::sum)
                            > demand.tenants().jobs().getOrDefault(tenant, 0L);
            JobRecord.Promise promise = demand.promise(taken, takenBytes, job.sizeBytes, countsForTenant);
            chosen.add(new Bounds.Victim(queue.name, job.id, job.rank, promise));
        }
        return chosen;
    }

    private void choose(ReadyOrder order, Map<JobId, JobRecord> chosen, long[] missing, BooleanSupplier more) {
        order.visitLeastUrgent(id -> {
            if (chosen.size() >= left()) return false;
            if (!chosen.containsKey(id)) {
                JobRecord job = find(id);
                chosen.put(id, job);
                missing[0]--;
                // mutant: bytes-of-victims
                if (missing[1] > 0) missing[1] -= job.sizeBytes;
            }
            return more.getAsBoolean();
        });
    }

    JobRecord find(JobId id) {
        out.about(Quarantine.JOB, id);
        JobRecord job = jobs.find(id);
        if (job == null) throw new IllegalStateException("ready job %s is not stored".formatted(id));
        return job;
    }

    void drop(JobRecord job) {
        Queue queue = queues.of(job);
        dropped++;
        jobs.apply(new JobChange.Dismissed(OVERFLOW), job);
        pressure.dropped(queue, job);
    }
}
