package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.processor.queue.state.FairOrder.Next;
import io.floodgate.processor.queue.state.PermitAccount.PermitState;
import io.floodgate.processor.queue.state.SubQueue.Head;
import io.floodgate.topics.JobId;
import io.floodgate.topics.limit.OnLimit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The available jobs of a tenant with the same priority: those without a rate limit, and the sub-queues of those with one. */
final class TenantLine {
    final String tenant;
    private final int priority;
    /** Turn of the next job, in the virtual time of its priority; 0 for before all others. */
    long turn;

    /** Null while there are none. */
    @Nullable
    ReadyLine free;

    private final EnumMap<PermitState, NavigableMap<Head, SubQueue>> subQueues = new EnumMap<>(PermitState.class);
    private int limited;
    /** The heads as they are among the tenants of its priority. */
    private final EnumMap<PermitState, Head> heads = new EnumMap<>(PermitState.class);

    TenantLine(int priority, String tenant) {
        this.priority = priority;
        this.tenant = tenant;
    }

    boolean add(long number, JobId job) {
        if (free == null) free = new ReadyLine();
        return free.add(number, job);
    }

    boolean remove(long number, JobId job) {
        if (free == null || !free.remove(number, job)) return false;
        if (free.isEmpty()) free = null;
        return true;
    }

    /** Puts a sub-queue in, with its head and state as they are by now. */
    void enter(SubQueue subQueue) {
        limited++;
        if (subQueue.head != null && isOfInterest(subQueue))
            subQueues.computeIfAbsent(subQueue.standing, s -> new TreeMap<>()).put(subQueue.head, subQueue);
    }

    void leave(SubQueue subQueue) {
        limited--;
        NavigableMap<Head, SubQueue> same = subQueues.get(subQueue.standing);
        if (same == null || subQueue.head == null) return;
        same.remove(subQueue.head);
        if (same.isEmpty()) subQueues.remove(subQueue.standing);
    }

    /** Jobs that are held back and wait are in no order. */
    private static boolean isOfInterest(SubQueue subQueue) {
        return subQueue.standing != PermitState.OUT || subQueue.name.onLimit() != OnLimit.WAIT;
    }

    boolean hasJobs() {
        return free != null || limited > 0;
    }

    /** Returns whether any of its jobs has this state. */
    boolean stands(PermitState standing) {
        return heads.containsKey(standing);
    }

    /** Returns the first wanted job with this state; jobs without a rate limit have the state of those with permits. */
    @Nullable
    Next first(PermitState standing, WantedFilter wanted) {
        Next first = standing == PermitState.STOCKED ? firstFree(wanted) : null;
        NavigableMap<Head, SubQueue> same = subQueues.get(standing);
        if (same == null) return first;
        for (Map.Entry<Head, SubQueue> each : same.entrySet()) {
            if (first != null && first.head().number() < each.getKey().number()) break;
            Head own = wanted.isAll() ? each.getKey() : each.getValue().first(wanted);
            if (own != null && (first == null || own.number() < first.head().number()))
                first = new Next(own.at(turn), each.getValue());
        }
        return first;
    }

    private @Nullable Next firstFree(WantedFilter wanted) {
        if (free == null) return null;
        SortedIds.Entry first = wanted.isAll() ? first(free) : free.first(wanted);
        return first == null ? null : new Next(new Head(priority, turn, first.number(), first.id()), null);
    }

    private static SortedIds.@Nullable Entry first(ReadyLine jobs) {
        JobId first = jobs.first();
        return first == null ? null : new SortedIds.Entry(jobs.firstNumber(), first);
    }

    /** Sub-queues that are held back and whose jobs do not want to wait. */
    Iterable<SubQueue> impatient() {
        NavigableMap<Head, SubQueue> out = subQueues.get(PermitState.OUT);
        return out == null ? List.of() : out.values();
    }

    /** Puts it where it belongs now among the tenants of its priority. */
    void place(PermitState standing, NavigableMap<Head, TenantLine> order) {
        Next first = first(standing, ReadyOrder.ALL);
        Head now = first == null ? null : first.head();
        Head before = heads.get(standing);
        if (now == null ? before == null : now.equals(before)) return;
        if (before != null) order.remove(before);
        if (now == null) {
            heads.remove(standing);
        } else {
            heads.put(standing, now);
            order.put(now, this);
        }
    }
}
