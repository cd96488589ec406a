package io.floodgate.processor.queue.wait;

import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The clients that wait at one queue, by number: for a job, or only to be notified of one. The queue itself may never
 * have been used.
 */
public final class WaitQueue {
    final String queue;
    private final WaitLine fetches = new WaitLine();
    private final WaitLine watches = new WaitLine();
    /** Number of fetches and watches that do not want all jobs. */
    private int filtered;

    WaitQueue(String queue) {
        this.queue = queue;
    }

    private WaitLine of(boolean watch) {
        return watch ? watches : fetches;
    }

    void add(Waiter waiter) {
        if (of(waiter.watch()).add(waiter) && isFiltered(waiter)) filtered++;
    }

    void remove(Waiter waiter) {
        if (of(waiter.watch()).remove(waiter) && isFiltered(waiter)) filtered--;
    }

    private static boolean isFiltered(Waiter waiter) {
        return !waiter.fetch().types().areAll();
    }

    /** Returns whether a waiter may be passed over, because it does not want the jobs that are there. */
    public boolean hasFiltered() {
        return filtered > 0;
    }

    /** Returns whether any of them wants jobs of some tenants only. */
    public boolean namesTenants() {
        return fetches.namesTenants() || watches.namesTenants();
    }

    /** Returns the first such waiter, of those that want jobs of every tenant, in order. */
    @Nullable
    public Long firstOfAll(boolean watch, LongPredicate such) {
        return of(watch).firstOfAll(such);
    }

    /** The tenants of whom some want jobs who do not want those of all. */
    public Set<String> tenants(boolean watch) {
        return of(watch).tenants();
    }

    /** Returns the first such waiter, of those that want jobs of this tenant, in order. */
    @Nullable
    public Long firstOf(String tenant, boolean watch, LongPredicate such) {
        return of(watch).firstOf(tenant, such);
    }

    public boolean isEmpty(boolean watch) {
        return of(watch).isEmpty();
    }

    /** The one who has waited longest; there must be one. */
    public long first(boolean watch) {
        return of(watch).first();
    }

    /** The numbers of the fetches, or watches, that have waited longest. */
    public List<Long> firstOnes(boolean watch, int most) {
        return of(watch).firstOnes(most);
    }

    public int size() {
        return fetches.size() + watches.size();
    }
}
