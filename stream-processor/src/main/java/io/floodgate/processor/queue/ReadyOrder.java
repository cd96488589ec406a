package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The available jobs of a queue: higher priority first, equal priority in the order of their ranks. */
final class ReadyOrder {
    private final TreeMap<Integer, SortedIds> byPriority = new TreeMap<>(Collections.reverseOrder());
    private int size;

    void add(int priority, long rank, JobId job) {
        if (byPriority.computeIfAbsent(priority, p -> new SortedIds()).add(rank, job)) size++;
    }

    void remove(int priority, long rank, JobId job) {
        SortedIds ids = byPriority.get(priority);
        if (ids == null || !ids.remove(rank, job)) return;
        size--;
        if (ids.isEmpty()) byPriority.remove(priority);
    }

    /** Where a job stands. */
    record Place(int priority, long rank) {}

    /** Looks at every entry: for a job that cannot say itself where it stands. */
    @Nullable
    Place find(JobId job) {
        List<Place> found = new ArrayList<>();
        byPriority.forEach((priority, ids) -> ids.visitFrom(Long.MIN_VALUE, (rank, id) -> {
            if (id.equals(job)) found.add(new Place(priority, rank));
            return found.isEmpty();
        }));
        return found.isEmpty() ? null : found.getFirst();
    }

    @Nullable
    JobId first() {
        Map.Entry<Integer, SortedIds> highest = byPriority.firstEntry();
        return highest == null ? null : highest.getValue().first();
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
