package io.floodgate.processor.queue.tenant;

import io.floodgate.processor.kernel.Largest;
import io.floodgate.processor.queue.state.Memory;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Unfinished jobs of each tenant by queue: in memory only, and rebuilt from the jobs at a start. */
final class TenantCounts {
    private static final int MOST_QUEUES = 3;

    private static final class Count {
        private final TreeMap<String, Long> byQueue = new TreeMap<>();
        private long jobs;
    }

    private final TreeMap<String, Count> byTenant = new TreeMap<>();
    private long rows;

    void clear() {
        byTenant.clear();
        rows = 0;
    }

    long memoryBytes() {
        return rows * Memory.TENANT;
    }

    void count(String tenant, String queue, long more) {
        Count count = byTenant.computeIfAbsent(tenant, any -> new Count());
        count.jobs += more;
        int before = count.byQueue.size();
        if (count.byQueue.merge(queue, more, Long::sum) == 0) count.byQueue.remove(queue);
        rows += count.byQueue.size() - before;
        if (count.byQueue.isEmpty()) byTenant.remove(tenant);
    }

    long jobs(String tenant) {
        Count count = byTenant.get(tenant);
        return count == null ? 0 : count.jobs;
    }

    SortedMap<String, Long> queues(String tenant) {
        Count count = byTenant.get(tenant);
        return count == null ? Collections.emptySortedMap() : count.byQueue;
    }

    /** The queues with most of its jobs. */
    SortedMap<String, Long> most(String tenant) {
        return Largest.of(queues(tenant), MOST_QUEUES);
    }

    /** All of it, to be compared and counted again. */
    Map<String, Map<String, Long>> all() {
        Map<String, Map<String, Long>> all = new TreeMap<>();
        byTenant.forEach((tenant, count) -> all.put(tenant, new TreeMap<>(count.byQueue)));
        return all;
    }

    void set(Map<String, Map<String, Long>> all) {
        clear();
        all.forEach((tenant, queues) -> queues.forEach((queue, jobs) -> count(tenant, queue, jobs)));
    }
}
