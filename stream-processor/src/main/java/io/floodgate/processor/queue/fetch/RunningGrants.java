package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.job.TenantRecount;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.ReadyOrder;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.processor.queue.state.WantedFilter;
import io.floodgate.processor.queue.tenant.GrantDemand;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.processor.queue.wait.WaitQueue;
import io.floodgate.processor.queue.wait.Waiter;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.queue.TenantResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Bounds of tenants on their running jobs: a job of a tenant without a grant for another run stays available, and is passed
 * over. Its partition asks for grants while workers wait that would take such jobs.
 */
public record RunningGrants(
        Queues queues,
        Waiters waiters,
        TenantAccounts accounts,
        TenantCounting tenants,
        TenantRecount recount,
        Maintenance maintenance,
        Effects out) {
    /** Jobs of tenants at their bounds that are looked at before their queue is sorted by tenant. */
    private static final int MOST_LOOKED_AT = 10;

    private static final GrantDemand ONE = new GrantDemand(1, 1);

    /** Most waiters at a queue for which grants are asked for. */
    private static final int MOST_WAITERS = 100;

    /** Has the filter pass over the tenants that lack a grant for another run. */
    void passOver(Queue queue, WantedFilter wanted) {
        if (!accounts.areBounded(TenantResource.RUNNING)) return;
        Set<String> lacking = accounts.lackingToRun(queue.name);
        wanted.passOver(lacking);
        if (queue.fair() == null) return;
        for (String tenant : lacking) if (couldStart(queue, wanted.types(), tenant)) wish(tenant);
    }

    /** The fetch may get jobs of others, and not wait: the next one is to find a grant. */
    private void wish(String tenant) {
        GrantKey key = GrantKey.running(tenant);
        if (accounts.isAsking(key)) accounts.wish(key, ONE);
    }

    /** Passes over the job if its tenant lacks a grant: unless the queue is sorted by tenant, it stands among those of others. */
    boolean passesOver(JobRecord job, Queue queue, WantedFilter wanted) {
        String tenant = wanted.passesOverSome() ? tenants.tenant(job) : null;
        if (tenant == null || !wanted.passesOver(tenant)) return false;
        wanted.leaveOut(job);
        wish(tenant);
        // Jobs of others may stand behind many more. Sorted, they are found without a look at each of these.
        boolean isSorted = wanted.leftOut() >= MOST_LOOKED_AT && accounts.isFull(GrantKey.running(tenant));
        // While the home does not answer, no look goes further.
        if (isSorted || !wanted.goesOn()) recount.sort(queue);
        return true;
    }

    /** Returns whether as many jobs of its tenant run as may run at once. */
    public boolean isHeldBack(JobRecord job) {
        return accounts.areBounded(TenantResource.RUNNING) && accounts.isFull(GrantKey.running(tenants.tenant(job)));
    }

    /** Looks at the queues in which a job of a tenant may start by now. */
    public void serve() {
        for (String tenant : accounts.takeFreed(TenantResource.RUNNING))
            for (String name : accounts.queuesOf(tenant)) {
                Queue queue = waiters.at(name) == null ? null : queues.find(name);
                if (queue != null) queues.toServe(queue);
            }
    }

    /** Returns whether it is not known yet if a job that the fetch wants can start. */
    boolean isAskingFor(List<String> names, WantedJobs wanted) {
        if (!accounts.areBounded(TenantResource.RUNNING)) return false;
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue == null || rests(queue)) continue;
            for (String tenant : accounts.lackingToRun(name))
                if (accounts.isAsking(GrantKey.running(tenant)) && couldStart(queue, wanted, tenant)) return true;
        }
        return false;
    }

    /** Returns the grants for jobs of this tenant that workers wait for. */
    public GrantDemand demand(String tenant) {
        GrantDemand sum = GrantDemand.NONE;
        for (String name : accounts.queuesOf(tenant)) {
            Queue queue = queues.find(name);
            WaitQueue line = waiters.at(name);
            if (queue == null || line == null || rests(queue)) continue;
            long jobs = Math.min(queue.room(out.now()), wanted(queue, line, tenant));
            if (jobs > 0) sum = sum.and(new GrantDemand(jobs, 1));
        }
        return sum;
    }

    private long wanted(Queue queue, WaitQueue line, String tenant) {
        TenantJobs all = queue.fair() == null ? null : queue.tenants;
        long available = all == null ? queue.ready().size() : all.ready(tenant).size();
        if (available == 0) return 0;
        List<Long> numbers = new ArrayList<>(line.firstOnes(false, MOST_WAITERS));
        numbers.addAll(line.firstOnes(true, MOST_WAITERS));
        Map<WantedJobs, Boolean> known = new LinkedHashMap<>();
        long sum = 0;
        for (long number : numbers) {
            Waiter waiter = waiters.find(number);
            if (waiter == null) continue;
            boolean takes = known.computeIfAbsent(waiter.fetch().types(), types -> couldStart(queue, types, tenant));
            if (takes) sum += waiter.watch() ? 1 : Math.max(1, waiter.fetch().count());
            if (sum >= available) return available;
        }
        return sum;
    }

    private boolean rests(Queue queue) {
        return !queue.handsOut() || maintenance.isOn();
    }

    /** Returns whether a wanted job of the tenant could start with a grant, as far as is known. */
    private static boolean couldStart(Queue queue, WantedJobs types, String tenant) {
        if (types.nameTenants() && !types.tenants().contains(tenant)) return false;
        ReadyOrder ready = queue.ready();
        WantedFilter wanted = new WantedFilter(types.ofTenants(queue.fair() == null ? List.of() : List.of(tenant)));
        return ready.first(wanted) != null || ready.toAskFor(wanted) != null || ready.toWaitFor(wanted) != null;
    }
}
