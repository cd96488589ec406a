package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.topics.JobId;
import io.floodgate.topics.limit.OnLimit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The available jobs of a queue: higher priority first, equal priority in the order of their ranks. Those with a rate limit are
 * in lanes of their own, and take part while there are permits for them.
 */
final class ReadyOrder {
    /** Nothing is added to it. */
    static final ReadyOrder NONE = new ReadyOrder();

    private final TreeMap<Integer, SortedIds> byPriority = new TreeMap<>(Collections.reverseOrder());
    private @Nullable Lanes lanes;
    /** How many there are in lanes of each priority: there may be as many lanes as keys. */
    private final TreeMap<Integer, Integer> inLanes = new TreeMap<>();

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

    boolean add(Standing job, Desk desk, OnLimit onLimit, String queue) {
        if (lanes == null) lanes = new Lanes(queue);
        boolean added = lanes.add(job.priority(), job.rank(), job.id(), desk, onLimit);
        if (added) inLanes.merge(job.priority(), 1, Integer::sum);
        return added;
    }

    boolean remove(Standing job, Desk desk, OnLimit onLimit) {
        if (lanes == null || !lanes.remove(job.priority(), job.rank(), job.id(), desk, onLimit)) return false;
        if (lanes.isEmpty()) lanes = null;
        inLanes.computeIfPresent(job.priority(), (priority, count) -> count == 1 ? null : count - 1);
        return true;
    }

    /** Those with a rate limit; null when there are none. */
    @Nullable
    Lanes lanes() {
        return lanes;
    }

    /** Where the job stands in the order of this queue: a search through all of them. */
    @Nullable
    Standing find(JobId job, Queue queue, @Nullable String tenant) {
        for (var entry : byPriority.entrySet()) {
            Long rank = entry.getValue().numberOf(job);
            if (rank != null) return new Standing(job, queue, entry.getKey(), rank, null, 0, null, null, tenant, null);
        }
        return lanes == null ? null : lanes.find(job, queue, tenant);
    }

    /** How many are before this one; null if it is not here. */
    SortedIds.@Nullable Place place(int priority, long rank, JobId job) {
        SortedIds ids = byPriority.get(priority);
        SortedIds.Place place = ids == null ? null : ids.place(rank, job);
        if (place == null) return null;
        long before = place.before();
        for (SortedIds more : byPriority.headMap(priority).values()) before += more.size();
        return new SortedIds.Place(before, place.isExact());
    }

    /** The first that can start. */
    @Nullable
    JobId first() {
        Lane.Head first = firstFree();
        if (lanes != null) first = earlier(first, lanes.first(Desk.Standing.STOCKED));
        return first == null ? null : first.job();
    }

    private Lane.@Nullable Head firstFree() {
        Map.Entry<Integer, SortedIds> highest = byPriority.firstEntry();
        JobId job = highest == null ? null : highest.getValue().first();
        return job == null
                ? null
                : new Lane.Head(highest.getKey(), highest.getValue().firstNumber(), job);
    }

    private static Lane.@Nullable Head earlier(Lane.@Nullable Head one, Lane.@Nullable Head other) {
        if (one == null) return other;
        return other == null || one.compareTo(other) < 0 ? one : other;
    }

    /** The lane that a permit is to be asked for: its first job comes before all that can start. */
    @Nullable
    Lane toAskFor() {
        Lane.Head open = lanes == null ? null : lanes.first(Desk.Standing.OPEN);
        if (lanes == null || open == null) return null;
        Lane.Head first = earlier(firstFree(), lanes.first(Desk.Standing.STOCKED));
        return first == null || open.compareTo(first) < 0 ? lanes.firstLane(Desk.Standing.OPEN) : null;
    }

    private NavigableSet<Integer> priorities() {
        if (lanes == null) return byPriority.navigableKeySet();
        TreeSet<Integer> priorities = new TreeSet<>(Collections.reverseOrder());
        priorities.addAll(byPriority.keySet());
        priorities.addAll(inLanes.keySet());
        return priorities;
    }

    /** How many there are of each priority, the highest first. */
    Map<Integer, Integer> countByPriority() {
        TreeMap<Integer, Integer> counts = new TreeMap<>(inLanes);
        byPriority.forEach((priority, ids) -> counts.merge(priority, ids.size(), Integer::sum));
        return counts.descendingMap();
    }

    /** The first so many, whether they can start or not. */
    List<JobId> first(int most) {
        List<JobId> first = new ArrayList<>();
        visit(priorities(), job -> {
            first.add(job);
            return first.size() < most;
        });
        return first;
    }

    /** The lowest priority first; in each, whoever has waited longest; until the visitor has seen enough. */
    void visitLeastUrgent(Predicate<JobId> visitor) {
        visit(priorities().descendingSet(), visitor);
    }

    private void visit(Iterable<Integer> priorities, Predicate<JobId> visitor) {
        for (int priority : priorities) {
            SortedIds ids = byPriority.get(priority);
            if (lanes != null) {
                if (!lanes.visit(priority, ids, visitor)) return;
            } else if (ids != null && !visit(ids, visitor)) return;
        }
    }

    private static boolean visit(SortedIds ids, Predicate<JobId> visitor) {
        boolean[] more = {true};
        ids.visitFrom(Long.MIN_VALUE, (rank, id) -> more[0] = visitor.test(id));
        return more[0];
    }

    /** The first of each priority: one of them has waited longest. */
    List<JobId> heads() {
        List<JobId> heads = new ArrayList<>();
        for (int priority : priorities()) {
            SortedIds ids = byPriority.get(priority);
            JobId first = ids == null ? null : ids.first();
            Lane.Head limited = lanes == null ? null : lanes.oldest(priority);
            if (limited != null && (first == null || ids == null || limited.rank() < ids.firstNumber()))
                first = limited.job();
            if (first != null) heads.add(first);
        }
        return heads;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    int size() {
        return lanes == null ? size : size + lanes.size();
    }
}
