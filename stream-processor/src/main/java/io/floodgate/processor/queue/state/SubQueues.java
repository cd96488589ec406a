package io.floodgate.processor.queue.state;

import io.floodgate.topics.JobId;
import io.floodgate.topics.limit.OnLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The available jobs of a queue that have a rate limit, a sub-queue for each priority and key. The heads of the sub-queues are in
 * lines, so that a key that is held back costs nothing however many jobs it has:
 *
 * <pre>
 *   stocked   there are permits for them: these can start, in order
 *   open      no permits requested yet: they are requested when a worker comes to them
 *   asked     asked for: what comes later in order waits a moment for the answer
 *   out       known to be held back, or no answer comes: not considered until that changes
 * </pre>
 */
public final class SubQueues {
    private static final JobId FIRST = new JobId(0, 0);

    public final String queue;
    private final EnumMap<PermitAccount.PermitState, NavigableMap<SubQueue.Head, SubQueue>> lines =
            new EnumMap<>(PermitAccount.PermitState.class);
    /** Sub-queues without permits whose jobs do not want to wait. */
    private final NavigableMap<SubQueue.Head, SubQueue> impatient = new TreeMap<>();

    private int size;
    private @Nullable FairOrder fair;

    /** @param fair the turns of tenants; null where they make no difference */
    SubQueues(String queue, @Nullable FairOrder fair) {
        this.queue = queue;
        this.fair = fair;
        for (PermitAccount.PermitState standing : PermitAccount.PermitState.values())
            lines.put(standing, new TreeMap<>());
    }

    /** Tenants take turns from now on, and those of none of the jobs are known; or they do not any more. */
    void follow(@Nullable FairOrder turns) {
        fair = turns;
        if (turns != null) lines.values().forEach(line -> line.values().forEach(turns::enter));
    }

    private SubQueue.Name name(IndexEntry job, OnLimit onLimit) {
        String tenant = fair == null ? FairOrder.UNSORTED : FairOrder.tenantOf(job);
        return new SubQueue.Name(queue, job.priority(), onLimit, tenant);
    }

    boolean add(IndexEntry job, PermitAccount account, OnLimit onLimit) {
        SubQueue.Name name = name(job, onLimit);
        SubQueue subQueue = account.subQueue(name);
        if (subQueue == null) {
            subQueue = new SubQueue(name, account, this);
            subQueue.standing = account.standingIn(queue);
            account.enter(subQueue);
        }
        if (!subQueue.jobs.add(job.number(), job.id())) return false;
        size++;
        place(subQueue, subQueue.standing);
        return true;
    }

    boolean remove(IndexEntry job, PermitAccount account, OnLimit onLimit) {
        SubQueue subQueue = account.subQueue(name(job, onLimit));
        if (subQueue == null || !subQueue.jobs.remove(job.number(), job.id())) return false;
        size--;
        place(subQueue, subQueue.standing);
        if (subQueue.jobs.isEmpty()) account.leave(subQueue);
        return true;
    }

    /** Puts the sub-queue's head where it belongs now. */
    void place(SubQueue subQueue, PermitAccount.PermitState standing) {
        if (fair != null) fair.leave(subQueue);
        put(subQueue, standing);
        if (fair != null) fair.enter(subQueue);
    }

    private void put(SubQueue subQueue, PermitAccount.PermitState standing) {
        if (subQueue.head != null) {
            line(subQueue.standing).remove(subQueue.head);
            impatient.remove(subQueue.head);
        }
        subQueue.standing = standing;
        subQueue.head = subQueue.first();
        if (subQueue.head == null) return;
        line(standing).put(subQueue.head, subQueue);
        if (standing == PermitAccount.PermitState.OUT && subQueue.name.onLimit() != OnLimit.WAIT)
            impatient.put(subQueue.head, subQueue);
    }

    private NavigableMap<SubQueue.Head, SubQueue> line(PermitAccount.PermitState standing) {
        NavigableMap<SubQueue.Head, SubQueue> line = lines.get(standing);
        if (line == null) throw new IllegalStateException("no line for " + standing);
        return line;
    }

    /** The first job that is wanted in those sub-queues, and its sub-queue; null when there is none. */
    public Map.@Nullable Entry<SubQueue.Head, SubQueue> first(PermitAccount.PermitState standing, WantedFilter wanted) {
        Map.Entry<SubQueue.Head, SubQueue> first = null;
        for (Map.Entry<SubQueue.Head, SubQueue> each : line(standing).entrySet()) {
            if (first != null && first.getKey().compareTo(each.getKey()) < 0) break;
            SubQueue.Head own = wanted.isAll() ? each.getKey() : each.getValue().first(wanted);
            if (own != null && (first == null || own.compareTo(first.getKey()) < 0))
                first = Map.entry(own, each.getValue());
        }
        return first;
    }

    /** Returns the head of the job that came first, of this priority. */
    SubQueue.@Nullable Head oldest(int priority) {
        SubQueue.Head begin = begin(priority);
        SubQueue.Head oldest = null;
        for (NavigableMap<SubQueue.Head, SubQueue> line : lines.values()) {
            SubQueue.Head first = line.ceilingKey(begin);
            if (first == null || first.priority() != priority) continue;
            if (oldest == null || first.number() < oldest.number()) oldest = first;
        }
        return oldest;
    }

    /** The first {@code most} of those sub-queues. */
    public List<SubQueue> first(PermitAccount.PermitState standing, int most) {
        return line(standing).values().stream().limit(most).toList();
    }

    boolean has(PermitAccount.PermitState standing) {
        return !line(standing).isEmpty();
    }

    /**
     * SubQueues that are held back and whose jobs do not want to wait.
     *
     * @param before the first of them comes before this one; null for all
     */
    public List<SubQueue> impatient(int most, SubQueue.@Nullable Head before) {
        List<SubQueue> some = new ArrayList<>();
        for (SubQueue subQueue : (before == null ? impatient : impatient.headMap(before, false)).values()) {
            if (some.size() == most) break;
            if (subQueue.account.heldIn(queue) != null) some.add(subQueue);
        }
        return some;
    }

    /**
     * Visits the jobs of a priority in order, with those of other sub-queues between them, until the visitor has seen
     * enough. Of each sub-queue nothing is looked at before the first of its jobs has its turn.
     */
    static boolean visit(
            @Nullable SubQueues own, int priority, List<@Nullable ReadyLine> others, Predicate<JobId> visitor) {
        PriorityQueue<Next> next = new PriorityQueue<>(Comparator.comparingLong(Next::number));
        if (own != null)
            for (NavigableMap<SubQueue.Head, SubQueue> line : own.lines.values()) addHead(line, begin(priority), next);
        for (ReadyLine other : others) if (other != null) addJob(other, Long.MIN_VALUE, next);
        for (Next first = next.poll(); first != null; first = next.poll()) {
            if (!visitor.test(first.job)) return false;
            addJob(first.jobs, first.number + 1, next);
            if (first.line != null) addHead(first.line, new SubQueue.Head(priority, first.number, first.job), next);
        }
        return true;
    }

    /**
     * The next job of one of several sub-queues.
     *
     * @param jobs where the one after it is
     * @param line of whose heads it is one; null if it is none
     */
    private record Next(
            long number,
            JobId job,
            ReadyLine jobs,
            @Nullable NavigableMap<SubQueue.Head, SubQueue> line) {}

    private static SubQueue.Head begin(int priority) {
        return new SubQueue.Head(priority, Long.MIN_VALUE, FIRST);
    }

    private static void addHead(
            NavigableMap<SubQueue.Head, SubQueue> line, SubQueue.Head after, PriorityQueue<Next> next) {
        Map.Entry<SubQueue.Head, SubQueue> head = line.higherEntry(after);
        if (head == null || head.getKey().priority() != after.priority()) return;
        next.add(new Next(head.getKey().number(), head.getKey().job(), head.getValue().jobs, line));
    }

    private static void addJob(ReadyLine jobs, long from, PriorityQueue<Next> next) {
        jobs.visitFrom(from, (number, job) -> {
            next.add(new Next(number, job, jobs, null));
            return false;
        });
    }

    /** The sub-queue that the job is in, and its rank: a search through all of them. */
    @Nullable
    IndexEntry find(JobId job, Queue in, @Nullable String tenant) {
        for (NavigableMap<SubQueue.Head, SubQueue> line : lines.values()) {
            for (SubQueue subQueue : line.values()) {
                Long number = subQueue.jobs.numberOf(job);
                if (number == null) continue;
                var limited = new IndexEntry.Limited(subQueue.account.key, subQueue.name.onLimit(), false, false);
                return IndexEntry.ready(job, in, subQueue.name.priority(), number, tenant, limited);
            }
        }
        return null;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }
}
