package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The available jobs of a queue: higher priority first, equal priority in the order of their ranks. */
final class ReadyOrder {
    /** Nothing is added to it. */
    static final ReadyOrder NONE = new ReadyOrder();

    private final TreeMap<Integer, SortedIds> byPriority = new TreeMap<>(Collections.reverseOrder());
    private int size;

    boolean add(int priority, long rank, JobId job) {
        boolean added =
                byPriority.computeIfAbsent(priority, p -> new SortedIds()).add(rank, job);
        if (added) size++;
        return added;
    }

    boolean remove(int priority, long rank, JobId job) {
        SortedIds ids = byPriority.get(priority);
        if (ids == null || !ids.remove(rank, job)) return false;
        size--;
        if (ids.isEmpty()) byPriority.remove(priority);
        return true;
    }

    /** Where the job stands in the order of this queue: a search through all of them. */
    @Nullable
    Standing find(JobId job, Queue queue, @Nullable String tenant) {
        for (var entry : byPriority.entrySet()) {
            Long rank = entry.getValue().numberOf(job);
            if (rank != null) return new Standing(job, queue, entry.getKey(), rank, null, 0, null, null, tenant);
        }
        return null;
    }

    @Nullable
    JobId first() {
        Map.Entry<Integer, SortedIds> highest = byPriority.firstEntry();
        return highest == null ? null : highest.getValue().first();
    }

    /** The first so many. */
    List<JobId> first(int most) {
        List<JobId> first = new ArrayList<>();
        for (SortedIds ids : byPriority.values()) {
            if (first.size() >= most) break;
            ids.visitFrom(Long.MIN_VALUE, (rank, id) -> {
                first.add(id);
                return first.size() < most;
            });
        }
        return first;
    }

    /** The lowest priority first; in each, whoever has waited longest; until the visitor has seen enough. */
    void visitLeastUrgent(Predicate<JobId> visitor) {
        boolean[] more = {true};
        for (SortedIds ids : byPriority.descendingMap().values()) {
            ids.visitFrom(Long.MIN_VALUE, (rank, id) -> more[0] = visitor.test(id));
            if (!more[0]) return;
        }
    }

    /** The first of each priority: one of them has waited longest. */
    List<JobId> heads() {
        List<JobId> heads = new ArrayList<>();
        for (SortedIds ids : byPriority.values()) {
            JobId first = ids.first();
            if (first != null) heads.add(first);
        }
        return heads;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }
}
