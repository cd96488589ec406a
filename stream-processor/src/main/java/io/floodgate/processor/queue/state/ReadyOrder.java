package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.WantedJobs;
import java.util.ArrayList;
import java.util.Arrays;
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
 * in sub-queues of their own, and take part while there are permits for them. Where tenants take turns, {@link FairOrder} says
 * which job is next, and this is the order of arrival.
 */
public final class ReadyOrder {
    /** Empty order to which nothing is added. */
    static final ReadyOrder NONE = new ReadyOrder();

    static final WantedFilter ALL = new WantedFilter(WantedJobs.ALL);

    // mutant: priority-order
    private final TreeMap<Integer, ReadyLine> byPriority = new TreeMap<>(Collections.reverseOrder());
    private @Nullable SubQueues subQueues;
    /** Number of jobs in sub-queues of each priority: there may be as many sub-queues as keys. */
    private final TreeMap<Integer, Integer> inSubQueues = new TreeMap<>();

    /** Jobs that wait for another one of their order key: they cannot start, whatever else is the case. */
    private final TreeMap<Integer, ReadyLine> behind = new TreeMap<>(Collections.reverseOrder());

    private int size;
    private @Nullable FairOrder fair;

    ReadyOrder() {}

    /** @param fair the turns of tenants; null where they make no difference */
    ReadyOrder(@Nullable FairOrder fair) {
        this.fair = fair;
    }

    /** Tenants take turns from now on, and those of none of the jobs are known; or they do not any more. */
    void follow(@Nullable FairOrder turns) {
        fair = turns;
        if (turns != null) byPriority.forEach(turns::unsorted);
        if (subQueues != null) subQueues.follow(turns);
    }

    private boolean takesTurns() {
        return fair != null && fair.isOn();
    }

    /** @param account of its key; null if it has no rate limit */
    boolean add(IndexEntry job, @Nullable PermitAccount account, String queue) {
        IndexEntry.Limited limited = job.limited();
        if (account == null || limited == null) return addFree(job);
        if (subQueues == null) subQueues = new SubQueues(queue, fair);
        boolean added = subQueues.add(job, account, limited.onLimit());
        if (added) inSubQueues.merge(job.priority(), 1, Integer::sum);
        return added;
    }

    /** Adds a job that waits for another one of its order key. */
    boolean addBehind(IndexEntry job) {
        boolean added =
                behind.computeIfAbsent(job.priority(), p -> new ReadyLine()).add(job.number(), job.id());
        if (added) size++;
        return added;
    }

    private boolean removeBehind(IndexEntry job) {
        ReadyLine line = behind.get(job.priority());
        if (line == null || !line.remove(job.number(), job.id())) return false;
        size--;
        if (line.isEmpty()) behind.remove(job.priority());
        return true;
    }

    /** Returns how many jobs wait for others of their order keys. */
    public int behind() {
        int count = 0;
        for (ReadyLine line : behind.values()) count += line.size();
        return count;
    }

    /** The first of those of each priority: one of them has waited longest. */
    public List<JobId> headsBehind() {
        List<JobId> heads = new ArrayList<>();
        for (ReadyLine line : behind.values()) {
            JobId first = line.first();
            if (first != null) heads.add(first);
        }
        return heads;
    }

    /** The first {@code most} of those, the most urgent first. */
    public List<JobId> firstBehind(int most) {
        List<JobId> first = new ArrayList<>();
        for (ReadyLine line : behind.values())
            if (first.size() < most)
                visit(line, job -> {
                    first.add(job);
                    return first.size() < most;
                });
        return first;
    }

    private boolean addFree(IndexEntry job) {
        if (fair == null || job.tenant() == null) return add(job.priority(), job.number(), job.id());
        if (!fair.add(job)) return false;
        size++;
        return true;
    }

    private boolean removeFree(IndexEntry job) {
        if (fair == null || job.tenant() == null) return remove(job.priority(), job.number(), job.id());
        if (!fair.remove(job)) return false;
        size--;
        return true;
    }

    /** @param number as {@link TypeHash} makes it, or a rank where no fetch has a type filter */
    boolean add(int priority, long number, JobId job) {
        boolean added =
                byPriority.computeIfAbsent(priority, p -> new ReadyLine()).add(number, job);
        if (added) size++;
        if (fair != null) fair.unsorted(priority, byPriority.get(priority));
        return added;
    }

    boolean remove(IndexEntry job, @Nullable PermitAccount account) {
        if (removeBehind(job)) return true;
        IndexEntry.Limited limited = job.limited();
        if (account == null || limited == null) return removeFree(job);
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
        if (fair != null) fair.unsorted(priority, byPriority.get(priority));
        return true;
    }

    /** Returns the sub-queues of jobs with a rate limit; null when there are none. */
    @Nullable
    public SubQueues subQueues() {
        return subQueues;
    }

    /** Returns the entry of the job in the order of this queue: a search through all of them. */
    @Nullable
    IndexEntry find(JobId job, Queue queue, @Nullable String tenant) {
        for (TreeMap<Integer, ReadyLine> lines : List.of(byPriority, behind))
            for (var entry : lines.entrySet()) {
                Long number = entry.getValue().numberOf(job);
                if (number != null) return IndexEntry.ready(job, queue, entry.getKey(), number, tenant, null);
            }
        SubQueue.Head sorted = fair == null ? null : fair.find(job);
        if (sorted != null) return IndexEntry.ready(job, queue, sorted.priority(), sorted.number(), tenant, null);
        return subQueues == null ? null : subQueues.find(job, queue, tenant);
    }

    /**
     * Returns how many jobs are before this one; null if it is not here, has a rate limit, or depends on turns of
     * tenants.
     */
    public SortedIds.@Nullable Place place(IndexEntry job) {
        if (takesTurns()) return null;
        ReadyLine unsorted = byPriority.get(job.priority());
        ReadyLine sorted = fair == null ? null : fair.arrivals(job.priority());
        // While a queue is sorted by tenant, which takes a moment, some jobs of a priority are in each of two orders.
        if (unsorted != null && sorted != null) return null;
        ReadyLine line = unsorted == null ? sorted : unsorted;
        SortedIds.Place place = line == null ? null : line.place(job.number(), job.id());
        if (place == null) return null;
        long before = place.before();
        for (ReadyLine more : byPriority.headMap(job.priority()).values()) before += more.size();
        if (fair != null) before += fair.arrivalsAbove(job.priority());
        return new SortedIds.Place(before, place.isExact());
    }

    /** The first that can start. */
    @Nullable
    public JobId first() {
        return first(ALL);
    }

    /** The first of those that are wanted that can start. */
    @Nullable
    public JobId first(WantedFilter wanted) {
        SubQueue.Head first = startable(wanted);
        return first == null ? null : first.job();
    }

    /** Returns whether the jobs that are wanted are looked for among those of their tenants. */
    private boolean isByTenant(WantedFilter wanted) {
        return takesTurns() || wanted.namesTenants() || (fair != null && wanted.passesOverSome());
    }

    private SubQueue.@Nullable Head startable(WantedFilter wanted) {
        if (isByTenant(wanted)) {
            if (fair == null) return null;
            FairOrder.Next next = fair.first(PermitAccount.PermitState.STOCKED, wanted);
            return next == null ? null : next.head();
        }
        SubQueue.Head first = firstFree(wanted);
        if (fair != null) first = earlier(first, fair.firstArrival(wanted));
        return subQueues == null ? first : earlier(first, firstLimited(PermitAccount.PermitState.STOCKED, wanted));
    }

    private SubQueue.@Nullable Head firstLimited(PermitAccount.PermitState standing, WantedFilter wanted) {
        Map.Entry<SubQueue.Head, SubQueue> first = subQueues == null ? null : subQueues.first(standing, wanted);
        return first == null ? null : first.getKey();
    }

    private SubQueue.@Nullable Head firstFree(WantedFilter wanted) {
        for (Map.Entry<Integer, ReadyLine> each : byPriority.entrySet()) {
            SubQueue.Head first = first(each.getKey(), each.getValue(), wanted);
            if (first != null) return first;
        }
        return null;
    }

    static SubQueue.@Nullable Head first(int priority, ReadyLine line, WantedFilter wanted) {
        if (wanted.isAll()) {
            JobId first = line.first();
            return first == null ? null : new SubQueue.Head(priority, line.firstNumber(), first);
        }
        SortedIds.Entry entry = line.first(wanted);
        return entry == null ? null : new SubQueue.Head(priority, entry.number(), entry.id());
    }

    private static SubQueue.@Nullable Head earlier(SubQueue.@Nullable Head one, SubQueue.@Nullable Head other) {
        if (one == null) return other;
        return other == null || one.compareTo(other) < 0 ? one : other;
    }

    /** The sub-queue that a permit is to be asked for: its first job that is wanted comes before all that can start. */
    @Nullable
    public SubQueue toAskFor(WantedFilter wanted) {
        return before(PermitAccount.PermitState.OPEN, wanted);
    }

    /** The sub-queue whose permit has been asked for, and will come or not: likewise. */
    @Nullable
    public SubQueue toWaitFor(WantedFilter wanted) {
        return before(PermitAccount.PermitState.ASKED, wanted);
    }

    private @Nullable SubQueue before(PermitAccount.PermitState standing, WantedFilter wanted) {
        if (subQueues == null) return null;
        if (isByTenant(wanted)) return fair == null ? null : before(fair.first(standing, wanted), startable(wanted));
        Map.Entry<SubQueue.Head, SubQueue> subQueue = subQueues.first(standing, wanted);
        if (subQueue == null) return null;
        SubQueue.Head first = startable(wanted);
        return first == null || subQueue.getKey().compareTo(first) < 0 ? subQueue.getValue() : null;
    }

    private static @Nullable SubQueue before(FairOrder.@Nullable Next next, SubQueue.@Nullable Head startable) {
        if (next == null) return null;
        return startable == null || next.head().compareTo(startable) < 0 ? next.subQueue() : null;
    }

    /** Returns the position in the order of a job that is here, which may go by the turns of tenants. */
    public SubQueue.Head head(IndexEntry job) {
        long turn = takesTurns() && fair != null ? fair.turn(job.priority(), FairOrder.tenantOf(job)) : 0;
        return new SubQueue.Head(job.priority(), turn, job.number(), job.id());
    }

    /** The same for a job of a sub-queue. */
    public SubQueue.Head head(SubQueue subQueue, long number, JobId job) {
        long turn = takesTurns() && fair != null ? fair.turn(subQueue.name.priority(), subQueue.name.tenant()) : 0;
        return new SubQueue.Head(subQueue.name.priority(), turn, number, job);
    }

    /**
     * Sub-queues that are held back and whose jobs do not want to wait.
     *
     * @param wanted of its tenants alone
     * @param before the first of them comes before this one; null for all
     */
    public List<SubQueue> impatient(int most, WantedFilter wanted, SubQueue.@Nullable Head before) {
        if (subQueues == null) return List.of();
        if (!isByTenant(wanted)) return subQueues.impatient(most, before);
        return fair == null ? List.of() : fair.impatient(most, wanted, before, subQueues.queue);
    }

    /** Returns whether permits have been asked for, and it is not known whether they come. */
    public boolean isAsking() {
        return subQueues != null && subQueues.has(PermitAccount.PermitState.ASKED);
    }

    private NavigableSet<Integer> priorities() {
        if (subQueues == null && fair == null && behind.isEmpty()) return byPriority.navigableKeySet();
        TreeSet<Integer> priorities = new TreeSet<>(Collections.reverseOrder());
        priorities.addAll(byPriority.keySet());
        priorities.addAll(behind.keySet());
        if (fair != null) priorities.addAll(fair.priorities());
        priorities.addAll(inSubQueues.keySet());
        return priorities;
    }

    /** Returns the number of jobs of each priority, the highest first. */
    public Map<Integer, Integer> countByPriority() {
        TreeMap<Integer, Integer> counts = new TreeMap<>(inSubQueues);
        byPriority.forEach((priority, ids) -> counts.merge(priority, ids.size(), Integer::sum));
        behind.forEach((priority, ids) -> counts.merge(priority, ids.size(), Integer::sum));
        if (fair != null)
            for (int priority : fair.priorities()) {
                ReadyLine sorted = fair.arrivals(priority);
                if (sorted != null) counts.merge(priority, sorted.size(), Integer::sum);
            }
        return counts.descendingMap();
    }

    /** The first {@code most}, whether they can start or not, without those that wait for another one of their order key. */
    public List<JobId> first(int most) {
        List<JobId> first = new ArrayList<>();
        visit(priorities(), false, job -> {
            first.add(job);
            return first.size() < most;
        });
        return first;
    }

    /** The lowest priority first; in each, the job that has waited longest; until the visitor has seen enough. */
    public void visitLeastUrgent(Predicate<JobId> visitor) {
        // mutant: least-urgent-first
        visit(priorities().descendingSet(), true, visitor);
    }

    private void visit(Iterable<Integer> priorities, boolean withBehind, Predicate<JobId> visitor) {
        for (int priority : priorities) {
            ReadyLine ids = byPriority.get(priority);
            ReadyLine sorted = fair == null ? null : fair.arrivals(priority);
            ReadyLine waiting = withBehind ? behind.get(priority) : null;
            if (subQueues != null || sorted != null || waiting != null) {
                if (!SubQueues.visit(subQueues, priority, Arrays.asList(ids, sorted, waiting), visitor)) return;
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
            ReadyLine sorted = fair == null ? null : fair.arrivals(priority);
            SubQueue.Head first = ids == null ? null : first(priority, ids, ALL);
            if (sorted != null) first = earlier(first, first(priority, sorted, ALL));
            ReadyLine waiting = behind.get(priority);
            if (waiting != null) first = earlier(first, first(priority, waiting, ALL));
            if (subQueues != null) first = earlier(first, subQueues.oldest(priority));
            if (first != null) heads.add(first.job());
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
