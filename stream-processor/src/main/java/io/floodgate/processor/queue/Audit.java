package io.floodgate.processor.queue;

import io.floodgate.topics.job.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Recounts a log from its stored jobs: counts, bytes and ready order must agree with them at any time. */
final class Audit {
    private Audit() {}

    static List<String> of(Queues queues, Jobs jobs, Expecting expecting) {
        Map<String, Counts> recount = new TreeMap<>();
        Map<String, Integer> ready = new TreeMap<>();
        Map<String, Map<String, List<Integer>>> tenants = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        jobs.visitAll(job -> {
            recount.computeIfAbsent(job.queue, q -> new Counts()).add(job);
            countTenant(job, queues.find(job.queue), jobs, tenants);
            if (job.isReady() && !jobs.orders().isAside(job.id)) ready.merge(job.queue, 1, Integer::sum);
            if ((job.state == JobState.ACTIVE) != (job.lease != null))
                problems.add("job %s is %s with lease %s".formatted(job.id, job.state, job.lease));
        });
        for (Queue queue : queues.all()) {
            Counts counted = recount.getOrDefault(queue.name, new Counts());
            expecting.expect(queue.name, counted);
            if (!counted.equals(queue.counts))
                problems.add("queue %s counts %s, recounted %s".formatted(queue.name, queue.counts, counted));
            int inOrder = queue.ready().size();
            if (inOrder != ready.getOrDefault(queue.name, 0))
                problems.add("queue %s has %d in ready order, recounted %d"
                        .formatted(queue.name, inOrder, ready.getOrDefault(queue.name, 0)));
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
            Job job, @Nullable Queue queue, Jobs jobs, Map<String, Map<String, List<Integer>>> tenants) {
        if (queue == null || !queue.countsTenantOf(job.id) || !TenantCounting.counts(job)) return;
        int ready = job.isReady() && !jobs.orders().isAside(job.id) ? 1 : 0;
        tenants.computeIfAbsent(queue.name, q -> new TreeMap<>())
                .merge(
                        String.valueOf(job.tenant),
                        List.of(1, ready),
                        (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
    }
}
