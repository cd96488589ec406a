package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.JobTypes;
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
public final class ReadyOrder {
    /** Nothing is added to it. */
    static final ReadyOrder NONE = new ReadyOrder();

    private static final Wanted ALL = new Wanted(JobTypes.ALL);

    // mutant: priority-order
    private final TreeMap<Integer, ReadyLine> byPriority = new TreeMap<>(Collections.reverseOrder());
    private @Nullable Lanes lanes;
    /** How many there are in lanes of each priority: there may be as many lanes as keys. */
    private final TreeMap<Integer, Integer> inLanes = new TreeMap<>();

    private int size;

    /** @param desk of its key; null if it has no rate limit */
    boolean add(Standing job, @Nullable Desk desk, String queue) {
        Standing.Limited limited = job.limited();
        if (desk == null || limited == null) return add(job.priority(), job.number(), job.id());
        if (lanes == null) lanes = new Lanes(queue);
        boolean added = lanes.add(job, desk, limited.onLimit());
        if (added) inLanes.merge(job.priority(), 1, Integer::sum);
        return added;
    }

    /** @param number as {@link TypeMark} makes it, or a rank where nobody asks for types */
    boolean add(int priority, long number, JobId job) {
        boolean added =
                byPriority.computeIfAbsent(priority, p -> new ReadyLine()).add(number, job);
        if (added) size++;
        return added;
    }

    boolean remove(Standing job, @Nullable Desk desk) {
        Standing.Limited limited = job.limited();
        if (desk == null || limited == null) return remove(job.priority(), job.number(), job.id());
        if (lanes == null || !lanes.remove(job, desk, limited.onLimit())) return false;
        if (lanes.isEmpty()) lanes = null;
        inLanes.computeIfPresent(job.priority(), (priority, count) -> count == 1 ? null : count - 1);
        return true;
    }

    boolean remove(int priority, long number, JobId job) {
        ReadyLine line = byPriority.get(priority);
        if (line == null || !line.remove(number, job)) return false;
        size--;
        if (line.isEmpty()) byPriority.remove(priority);
        return true;
    }

    /** Those with a rate limit; null when there are none. */
    @Nullable
    public Lanes lanes() {
        return lanes;
    }

    /** Where the job stands in the order of this queue: a search through all of them. */
    @Nullable
    Standing find(JobId job, Queue queue, @Nullable String tenant) {
        for (var entry : byPriority.entrySet()) {
            Long number = entry.getValue().numberOf(job);
            if (number != null) return Standing.ready(job, queue, entry.getKey(), number, tenant, null);
        }
        return lanes == null ? null : lanes.find(job, queue, tenant);
    }

    /** How many are before this one; null if it is not here, or has a rate limit. */
    public SortedIds.@Nullable Place place(Standing job) {
        ReadyLine line = byPriority.get(job.priority());
        SortedIds.Place place = line == null ? null : line.place(job.number(), job.id());
        if (place == null) return null;
        long before = place.before();
        for (ReadyLine more : byPriority.headMap(job.priority()).values()) before += more.size();
        return new SortedIds.Place(before, place.isExact());
    }

    /** The first that can start. */
    @Nullable
    public JobId first() {
        return first(ALL);
    }

    /** The first of those that are wanted that can start. */
    @Nullable
    public JobId first(Wanted wanted) {
        Lane.Head first = firstFree(wanted);
        if (lanes != null) first = earlier(first, firstLimited(Desk.Standing.STOCKED, wanted));
        return first == null ? null : first.job();
    }

    private Lane.@Nullable Head firstLimited(Desk.Standing standing, Wanted wanted) {
        Map.Entry<Lane.Head, Lane> first = lanes == null ? null : lanes.first(standing, wanted);
        return first == null ? null : first.getKey();
    }

    private Lane.@Nullable Head firstFree(Wanted wanted) {
        for (Map.Entry<Integer, ReadyLine> each : byPriority.entrySet()) {
            ReadyLine line = each.getValue();
            JobId first = line.first();
            if (wanted.isAll()) return first == null ? null : new Lane.Head(each.getKey(), line.firstNumber(), first);
            SortedIds.Entry entry = line.first(wanted);
            if (entry != null) return new Lane.Head(each.getKey(), entry.number(), entry.id());
        }
        return null;
    }

    private static Lane.@Nullable Head earlier(Lane.@Nullable Head one, Lane.@Nullable Head other) {
        if (one == null) return other;
        return other == null || one.compareTo(other) < 0 ? one : other;
    }

    /** The lane that a permit is to be asked for: its first job that is wanted comes before all that can start. */
    @Nullable
    public Lane toAskFor(Wanted wanted) {
        return before(Desk.Standing.OPEN, wanted);
    }

    /** The lane whose permit has been asked for, and will come or not: likewise. */
    @Nullable
    public Lane toWaitFor(Wanted wanted) {
        return before(Desk.Standing.ASKED, wanted);
    }

    private @Nullable Lane before(Desk.Standing standing, Wanted wanted) {
        Map.Entry<Lane.Head, Lane> lane = lanes == null ? null : lanes.first(standing, wanted);
        if (lane == null) return null;
        Lane.Head first = earlier(firstFree(wanted), firstLimited(Desk.Standing.STOCKED, wanted));
        return first == null || lane.getKey().compareTo(first) < 0 ? lane.getValue() : null;
    }

    /** Whether permits have been asked for, and it is not known whether they come. */
    public boolean isAsking() {
        return lanes != null && lanes.has(Desk.Standing.ASKED);
    }

    private NavigableSet<Integer> priorities() {
        if (lanes == null) return byPriority.navigableKeySet();
        TreeSet<Integer> priorities = new TreeSet<>(Collections.reverseOrder());
        priorities.addAll(byPriority.keySet());
        priorities.addAll(inLanes.keySet());
        return priorities;
    }

    /** How many there are of each priority, the highest first. */
    public Map<Integer, Integer> countByPriority() {
        TreeMap<Integer, Integer> counts = new TreeMap<>(inLanes);
        byPriority.forEach((priority, ids) -> counts.merge(priority, ids.size(), Integer::sum));
        return counts.descendingMap();
    }

    /** The first so many, whether they can start or not. */
    public List<JobId> first(int most) {
        List<JobId> first = new ArrayList<>();
        visit(priorities(), job -> {
            first.add(job);
            return first.size() < most;
        });
        return first;
    }

    /** The lowest priority first; in each, whoever has waited longest; until the visitor has seen enough. */
    public void visitLeastUrgent(Predicate<JobId> visitor) {
        // mutant: least-urgent-first
        visit(priorities().descendingSet(), visitor);
    }

    private void visit(Iterable<Integer> priorities, Predicate<JobId> visitor) {
        for (int priority : priorities) {
            ReadyLine ids = byPriority.get(priority);
            if (lanes != null) {
                if (!lanes.visit(priority, ids, visitor)) return;
            } else if (ids != null && !visit(ids, visitor)) return;
        }
    }

    private static boolean visit(ReadyLine ids, Predicate<JobId> visitor) {
        boolean[] more = {true};
        ids.visitFrom(Long.MIN_VALUE, (rank, id) -> more[0] = visitor.test(id));
        return more[0];
    }

    /** The first of each priority: one of them has waited longest. */
    public List<JobId> heads() {
        List<JobId> heads = new ArrayList<>();
        for (int priority : priorities()) {
            ReadyLine ids = byPriority.get(priority);
            JobId first = ids == null ? null : ids.first();
            Lane.Head limited = lanes == null ? null : lanes.oldest(priority);
            if (limited != null && (first == null || ids == null || limited.number() < ids.firstNumber()))
                first = limited.job();
            if (first != null) heads.add(first);
        }
        return heads;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    public int size() {
        return lanes == null ? size : size + lanes.size();
    }
}
