package io.floodgate.processor.queue.wait;

import io.floodgate.processor.kernel.SortedIds;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The fetches, or the watches, that wait at a queue, by number. Those that want jobs of some tenants only have a wait
 * queue for each of these, so that a job finds its waiters however many wait for others.
 */
final class WaitLine {
    private final SortedIds ofAll = new SortedIds();
    private final SortedIds ofSome = new SortedIds();
    private final TreeMap<String, SortedIds> byTenant = new TreeMap<>();

    private static List<String> tenants(Waiter waiter) {
        return waiter.fetch().types().tenants();
    }

    boolean add(Waiter waiter) {
        if (tenants(waiter).isEmpty()) return ofAll.add(waiter.number(), 0, 0);
        for (String tenant : tenants(waiter))
            byTenant.computeIfAbsent(tenant, t -> new SortedIds()).add(waiter.number(), 0, 0);
        return ofSome.add(waiter.number(), 0, 0);
    }

    boolean remove(Waiter waiter) {
        if (tenants(waiter).isEmpty()) return ofAll.remove(waiter.number(), 0, 0);
        for (String tenant : tenants(waiter)) {
            SortedIds line = byTenant.get(tenant);
            if (line == null) continue;
            line.remove(waiter.number(), 0, 0);
            if (line.isEmpty()) byTenant.remove(tenant);
        }
        return ofSome.remove(waiter.number(), 0, 0);
    }

    boolean isEmpty() {
        return ofAll.isEmpty() && ofSome.isEmpty();
    }

    int size() {
        return ofAll.size() + ofSome.size();
    }

    /** Returns whether any of them wants jobs of some tenants only. */
    boolean namesTenants() {
        return !ofSome.isEmpty();
    }

    /** The number of the one that has waited longest; there must be one. */
    long first() {
        if (ofAll.isEmpty()) return ofSome.firstNumber();
        return ofSome.isEmpty() ? ofAll.firstNumber() : Math.min(ofAll.firstNumber(), ofSome.firstNumber());
    }

    /** Returns the first such waiter, of those that want jobs of every tenant. */
    @Nullable
    Long firstOfAll(LongPredicate such) {
        return first(ofAll, such);
    }

    Set<String> tenants() {
        return byTenant.keySet();
    }

    /** Returns the first such waiter, of those that want jobs of this tenant, and not of all. */
    @Nullable
    Long firstOf(String tenant, LongPredicate such) {
        SortedIds line = byTenant.get(tenant);
        return line == null ? null : first(line, such);
    }

    private static @Nullable Long first(SortedIds line, LongPredicate such) {
        SortedIds.Entry first = line.first(such);
        return first == null ? null : (Long) first.number();
    }

    /** Returns the waiters that have waited longest. */
    List<Long> firstOnes(int most) {
        TreeSet<Long> numbers = new TreeSet<>();
        for (SortedIds line : List.of(ofAll, ofSome)) {
            int[] left = {most};
            if (most > 0)
                line.visitFrom(Long.MIN_VALUE, (number, id) -> {
                    numbers.add(number);
                    return --left[0] > 0;
                });
        }
        return numbers.stream().limit(most).toList();
    }
}
