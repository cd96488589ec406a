package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.topics.JobId;
import io.floodgate.topics.limit.OnLimit;
import org.jspecify.annotations.Nullable;

/**
 * The available jobs of a queue with the same priority and key, and the same wish for when they cannot start; and of the same
 * tenant, where tenants take turns.
 */
public final class SubQueue {
    /**
     * Tells the sub-queues of a key apart.
     *
     * @param tenant {@link FairOrder#UNSORTED} where it makes no difference
     */
    public record Name(String queue, int priority, OnLimit onLimit, String tenant) implements Comparable<Name> {
        @Override
        public int compareTo(Name other) {
            int order = queue.compareTo(other.queue);
            if (order != 0) return order;
            if (priority != other.priority) return Integer.compare(other.priority, priority);
            return onLimit != other.onLimit ? onLimit.compareTo(other.onLimit) : tenant.compareTo(other.tenant);
        }
    }

    /**
     * The first job of a sub-queue: higher priority first, equal priority in the order of ranks, see {@link TypeHash#number}.
     *
     * @param turn of its tenant, which comes before the rank where tenants take turns; otherwise 0
     */
    public record Head(int priority, long turn, long number, JobId job) implements Comparable<Head> {
        Head(int priority, long number, JobId job) {
            this(priority, 0, number, job);
        }

        Head at(long itsTurn) {
            return new Head(priority, itsTurn, number, job);
        }

        @Override
        public int compareTo(Head other) {
            if (priority != other.priority) return Integer.compare(other.priority, priority);
            // mutant: order-of-turns
            if (turn != other.turn) return Long.compare(turn, other.turn);
            return number != other.number ? Long.compare(number, other.number) : job.compareTo(other.job);
        }
    }

    public final Name name;
    public final PermitAccount account;
    public final SubQueues queue;
    public final ReadyLine jobs = new ReadyLine();
    /** The head as it is among those of the other sub-queues; null while the sub-queue is empty. */
    @Nullable
    public Head head;

    /** The state by which {@link SubQueues} sorts it. */
    public PermitAccount.PermitState standing = PermitAccount.PermitState.OPEN;

    SubQueue(Name name, PermitAccount account, SubQueues queue) {
        this.name = name;
        this.account = account;
        this.queue = queue;
    }

    @Nullable
    Head first() {
        JobId first = jobs.first();
        return first == null ? null : new Head(name.priority(), jobs.firstNumber(), first);
    }

    @Nullable
    Head first(WantedFilter wanted) {
        SortedIds.Entry first = jobs.first(wanted);
        return first == null ? null : new Head(name.priority(), first.number(), first.id());
    }
}
