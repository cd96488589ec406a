package io.floodgate.processor.queue.wait;

import io.floodgate.processor.kernel.SortedIds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** Who waits at one queue, by number: for a job, or only to be told of one. The queue itself may never have been used. */
public final class WaitQueue {
    final String queue;
    private final SortedIds fetches = new SortedIds();
    private final SortedIds watches = new SortedIds();
    /** Of both, those that do not want all jobs. */
    private int filtered;

    WaitQueue(String queue) {
        this.queue = queue;
    }

    private SortedIds of(boolean watch) {
        return watch ? watches : fetches;
    }

    void add(Waiter waiter) {
        if (of(waiter.watch()).add(waiter.number(), 0, 0) && isFiltered(waiter)) filtered++;
    }

    void remove(Waiter waiter) {
        if (of(waiter.watch()).remove(waiter.number(), 0, 0) && isFiltered(waiter)) filtered--;
    }

    private static boolean isFiltered(Waiter waiter) {
        return !waiter.fetch().types().areAll();
    }

    /** Whether a waiter may be passed over by those behind, because it does not want the jobs that are there. */
    public boolean hasFiltered() {
        return filtered > 0;
    }

    /** Those who wait, in order, until one is found. */
    @Nullable
    public Long first(boolean watch, LongPredicate such) {
        SortedIds.Entry first = of(watch).first(such);
        return first == null ? null : (Long) first.number();
    }

    public boolean isEmpty(boolean watch) {
        return of(watch).isEmpty();
    }

    /** The one who has waited longest; there must be one. */
    public long first(boolean watch) {
        return of(watch).firstNumber();
    }

    /** The numbers of the fetches, or watches, that have waited longest. */
    public List<Long> firstOnes(boolean watch, int most) {
        List<Long> numbers = new ArrayList<>();
        if (most > 0)
            of(watch).visitFrom(Long.MIN_VALUE, (number, id) -> {
                numbers.add(number);
                return numbers.size() < most;
            });
        return numbers;
    }

    public int size() {
        return fetches.size() + watches.size();
    }
}
