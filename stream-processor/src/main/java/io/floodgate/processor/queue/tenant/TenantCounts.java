package io.floodgate.processor.queue.tenant;

import io.floodgate.processor.kernel.Largest;
import io.floodgate.processor.queue.state.Memory;
import io.floodgate.topics.command.GrantKey;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What tenants use, by queue: in memory only, and rebuilt from the jobs at a start. */
final class TenantCounts {
    private static final int MOST_QUEUES = 3;

    private static final class Count {
        private final TreeMap<String, Long> byQueue = new TreeMap<>();
        private long sum;
    }

    private final TreeMap<GrantKey, Count> byKey = new TreeMap<>();
    private long rows;

    void clear() {
        byKey.clear();
        rows = 0;
    }

    long memoryBytes() {
        return rows * Memory.TENANT;
    }

    void count(GrantKey key, String queue, long more) {
        Count count = byKey.computeIfAbsent(key, any -> new Count());
        count.sum += more;
        int before = count.byQueue.size();
        if (count.byQueue.merge(queue, more, Long::sum) == 0) count.byQueue.remove(queue);
        rows += count.byQueue.size() - before;
        if (count.byQueue.isEmpty()) byKey.remove(key);
    }

    long of(GrantKey key) {
        Count count = byKey.get(key);
        return count == null ? 0 : count.sum;
    }

    SortedMap<String, Long> queues(GrantKey key) {
        Count count = byKey.get(key);
        return count == null ? Collections.emptySortedMap() : count.byQueue;
    }

    /** The queues with most of it. */
    SortedMap<String, Long> most(GrantKey key) {
        return Largest.of(queues(key), MOST_QUEUES);
    }

    /** All of it, to be compared and counted again. */
    Map<GrantKey, Map<String, Long>> all() {
        Map<GrantKey, Map<String, Long>> all = new TreeMap<>();
        byKey.forEach((key, count) -> all.put(key, new TreeMap<>(count.byQueue)));
        return all;
    }

    void set(Map<GrantKey, Map<String, Long>> all) {
        clear();
        all.forEach((key, queues) -> queues.forEach((queue, some) -> count(key, queue, some)));
    }
}
