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
 * in sub-queues of their own, and take part while there are permits for them.
 */
public final class ReadyOrder {
    /** Nothing is added to it. */
    static final ReadyOrder NONE = new ReadyOrder();

    private static final TypeFilter ALL = new TypeFilter(JobTypes.ALL);

    // mutant: priority-order
    private final TreeMap<Integer, ReadyLine> byPriority = new TreeMap<>(Collections.reverseOrder());
    private @Nullable SubQueues subQueues;
    /** How many there are in sub-queues of each priority: there may be as many sub-queues as keys. */
    private final TreeMap<Integer, Integer> inSubQueues = new TreeMap<>();

    private int size;

    /** @param account of its key; null if it has no rate limit */
    boolean add(IndexEntry job, @Nullable PermitAccount account, String queue) {
        IndexEntry.Limited limited = job.limited();
        if (account == null || limited == null) return add(job.priority(), job.number(), job.id());
        if (subQueues == null) subQueues = new SubQueues(queue);
        boolean added = subQueues.add(job, account, limited.onLimit());
        if (added) inSubQueues.merge(job.priority(), 1, Integer::sum);
        return added;
    }

    /** @param number as {@link TypeHash} makes it, or a rank where no fetch has a type filter */
    boolean add(int priority, long number, JobId job) {
        boolean added =
                byPriority.computeIfAbsent(priority, p -> new ReadyLine()).add(number, job);
        if (added) size++;
        return added;
    }

    boolean remove(IndexEntry job, @Nullable PermitAccount account) {
        IndexEntry.Limited limited = job.limited();
        if (account == null || limited == null) return remove(job.priority(), job.number(), job.id());
        if (subQueues == null || !subQueues.remove(job, account, limited.onLimit())) return false;
        if (subQueues.isEmpty()) subQueues = null;
        inSubQueues.computeIfPresent(job.priority(), (priority, count) -> count == 1 ? null : count - 1);
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
    public SubQueues subQueues() {
        return subQueues;
    }

    /** Where the job stands in the order of this queue: a search through all of them. */
    @Nullable
    IndexEntry find(JobId job, Queue queue, @Nullable String tenant) {
        for (var entry : byPriority.entrySet()) {
            Long number = entry.getValue().numberOf(job);
            if (number != null) return IndexEntry.ready(job, queue, entry.getKey(), number, tenant, null);
        }
        return subQueues == null ? null : subQueues.find(job, queue, tenant);
    }

    /** How many are before this one; null if it is not here, or has a rate limit. */
    public SortedIds.@Nullable Place place(IndexEntry job) {
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
    public JobId first(TypeFilter wanted) {
        SubQueue.Head first = firstFree(wanted);
        if (subQueues != null) first = earlier(first, firstLimited(PermitAccount.PermitState.STOCKED, wanted));
        return first == null ? null : first.job();
    }

    private SubQueue.@Nullable Head firstLimited(PermitAccount.PermitState standing, TypeFilter wanted) {
        Map.Entry<SubQueue.Head, SubQueue> first = subQueues == null ? null : subQueues.first(standing, wanted);
        return first == null ? null : first.getKey();
    }

    private SubQueue.@Nullable Head firstFree(TypeFilter wanted) {
        for (Map.Entry<Integer, ReadyLine> each : byPriority.entrySet()) {
            ReadyLine line = each.getValue();
            JobId first = line.first();
            if (wanted.isAll())
                return first == null ? null : new SubQueue.Head(each.getKey(), line.firstNumber(), first);
            SortedIds.Entry entry = line.first(wanted);
            if (entry != null) return new SubQueue.Head(each.getKey(), entry.number(), entry.id());
        }
        return null;
    }

    private static SubQueue.@Nullable Head earlier(SubQueue.@Nullable Head one, SubQueue.@Nullable Head other) {
        if (one == null) return other;
        return other == null || one.compareTo(other) < 0 ? one : other;
    }

    /** The sub-queue that a permit is to be asked for: its first job that is wanted comes before all that can start. */
    @Nullable
    public SubQueue toAskFor(TypeFilter wanted) {
        return before(PermitAccount.PermitState.OPEN, wanted);
    }

    /** The sub-queue whose permit has been asked for, and will come or not: likewise. */
    @Nullable
    public SubQueue toWaitFor(TypeFilter wanted) {
        return before(PermitAccount.PermitState.ASKED, wanted);
    }

    private @Nullable SubQueue before(PermitAccount.PermitState standing, TypeFilter wanted) {
        Map.Entry<SubQueue.Head, SubQueue> subQueue = subQueues == null ? null : subQueues.first(standing, wanted);
        if (subQueue == null) return null;
        SubQueue.Head first = earlier(firstFree(wanted), firstLimited(PermitAccount.PermitState.STOCKED, wanted));
        return first == null || subQueue.getKey().compareTo(first) < 0 ? subQueue.getValue() : null;
    }

    /** Whether permits have been asked for, and it is not known whether they come. */
    public boolean isAsking() {
        return subQueues != null && subQueues.has(PermitAccount.PermitState.ASKED);
    }

    private NavigableSet<Integer> priorities() {
        if (subQueues == null) return byPriority.navigableKeySet();
        TreeSet<Integer> priorities = new TreeSet<>(Collections.reverseOrder());
        priorities.addAll(byPriority.keySet());
        priorities.addAll(inSubQueues.keySet());
        return priorities;
    }

    /** How many there are of each priority, the highest first. */
    public Map<Integer, Integer> countByPriority() {
        TreeMap<Integer, Integer> counts = new TreeMap<>(inSubQueues);
        byPriority.forEach((priority, ids) -> counts.merge(priority, ids.size(), Integer::sum));
        return counts.descendingMap();
    }

    /** The first {@code most}, whether they can start or not. */
    public List<JobId> first(int most) {
        List<JobId> first = new ArrayList<>();
        visit(priorities(), job -> {
            first.add(job);
            return first.size() < most;
        });
        return first;
    }

    /** The lowest priority first; in each, the job that has waited longest; until the visitor has seen enough. */
    public void visitLeastUrgent(Predicate<JobId> visitor) {
        // mutant: least-urgent-first
        visit(priorities().descendingSet(), visitor);
    }

    private void visit(Iterable<Integer> priorities, Predicate<JobId> visitor) {
        for (int priority : priorities) {
            ReadyLine ids = byPriority.get(priority);
            if (subQueues != null) {
                if (!subQueues.visit(priority, ids, visitor)) return;
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
            SubQueue.Head limited = subQueues == null ? null : subQueues.oldest(priority);
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
        return subQueues == null ? size : size + subQueues.size();
    }
}
