package io.floodgate.processor.queue.admin;

import io.floodgate.processor.queue.bound.CapacityReservations;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.Counts;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.PermitAccountStore;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.SubQueue;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.processor.queue.transfer.IncomingMoves;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.GrantKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Recounts a partition from its stored jobs: counts, bytes and ready order must agree with them at any time. */
public final class Audit {
    private Audit() {}

    public static List<String> of(
            Queues queues,
            Jobs jobs,
            PermitAccountStore accounts,
            TenantAccounts tenantAccounts,
            TenantCounting tenantCounting,
            IncomingMoves expecting,
            CapacityReservations kept) {
        Map<String, Counts> recount = new TreeMap<>();
        Map<String, Integer> ready = new TreeMap<>();
        Map<String, Map<String, List<Integer>>> tenants = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        Map<String, List<Integer>> limited = new TreeMap<>();
        List<JobRecord> ordered = new ArrayList<>();
        Map<GrantKey, Map<String, Long>> ofTenants = new TreeMap<>();
        jobs.visitAll(job -> {
            if (job.order != null && queues.has(job.queue)) ordered.add(job);
            recount.computeIfAbsent(job.queue, q -> new Counts()).add(job);
            if (job.limitKey != null && job.isLive())
                limited.merge(
                        job.limitKey,
                        List.of(1, job.permit > 0 ? 1 : 0),
                        (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
            tenantCounting.recount(job, ofTenants);
            countTenant(job, queues.find(job.queue), jobs, tenants);
            if (job.isReady() && !jobs.orders().isAside(job.id)) ready.merge(job.queue, 1, Integer::sum);
            if ((job.state == JobState.ACTIVE) != (job.lease != null))
                problems.add("job %s is %s with lease %s".formatted(job.id, job.state, job.lease));
        });
        problems.addAll(jobs.keyTurns().audit(ordered));
        for (Queue queue : queues.all()) {
            Counts counted = recount.getOrDefault(queue.name, new Counts());
            var toCome = expecting.expect(queue.name, counted);
            if (!toCome.equals(queue.tenantsToCome))
                problems.add("queue %s expects jobs of tenants %s, recounted %s"
                        .formatted(queue.name, queue.tenantsToCome, toCome));
            kept.expect(queue.name, counted);
            if (!counted.equals(queue.counts))
                problems.add("queue %s counts %s, recounted %s".formatted(queue.name, queue.counts, counted));
            int inOrder = queue.ready().size();
            if (inOrder != ready.getOrDefault(queue.name, 0))
                problems.add("queue %s has %d in ready order, recounted %d"
                        .formatted(queue.name, inOrder, ready.getOrDefault(queue.name, 0)));
        }
        problems.addAll(tenantAccounts.audit(ofTenants));
        for (PermitAccount account : accounts.all()) {
            List<Integer> recounted = limited.getOrDefault(account.key, List.of(0, 0));
            if (!recounted.equals(List.of(account.jobs, account.active)))
                problems.add("key %s has %d jobs, %d of them active, recounted %s"
                        .formatted(account.key, account.jobs, account.active, recounted));
            for (SubQueue subQueue : account.subQueues())
                if (subQueue.standing != account.standingIn(subQueue.name.queue()))
                    problems.add("a sub-queue of key %s is %s, its permit account %s"
                            .formatted(account.key, subQueue.standing, account.standingIn(subQueue.name.queue())));
        }
        for (Queue queue : queues.all()) {
            var recounted = tenants.getOrDefault(queue.name, new TreeMap<>());
            var counted = queue.tenants == null ? new TreeMap<>() : queue.tenants.counted();
            if (!counted.equals(recounted))
                problems.add("queue %s counts of tenants %s, recounted %s".formatted(queue.name, counted, recounted));
        }
        return problems;
    }

    /** Unfinished jobs and ready ones, by tenant, as far as they are to be counted. */
    private static void countTenant(
            JobRecord job, @Nullable Queue queue, Jobs jobs, Map<String, Map<String, List<Integer>>> tenants) {
        if (queue == null || !queue.countsTenantOf(job.id) || !TenantCounting.counts(job)) return;
        int ready = job.isReady() && !jobs.orders().isAside(job.id) ? 1 : 0;
        tenants.computeIfAbsent(queue.name, q -> new TreeMap<>())
                .merge(
                        String.valueOf(job.tenant),
                        List.of(1, ready),
                        (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
    }
}
