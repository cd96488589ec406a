package io.floodgate.processor.tenant;

import io.floodgate.processor.kernel.Largest;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.command.ReplyTo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A bound of one tenant over all queues, and who holds what of it. */
final class TenantHome {
    private static final int MOST_QUEUES = 5;

    final GrantKey key;
    final long epoch;
    long version;
    long maximum;
    long turns;
    long recalls;
    /** The caller that has set the bound, until it holds everywhere. */
    @Nullable
    ReplyTo replyTo;

    /** Time until which the answers to a recall are awaited. */
    @Nullable
    Instant awaitedUntil;

    final List<GrantHolder> holders = new ArrayList<>();

    TenantHome(GrantKey key, long epoch) {
        this.key = key;
        this.epoch = epoch;
    }

    GrantHolder holder(int partition) {
        return holders.get(partition);
    }

    boolean isOpen() {
        return holders.stream().allMatch(holder -> holder.open);
    }

    /** Returns the grants that are left; negative while the tenant uses more than a bound that was lowered. */
    long spare() {
        // mutant: tenant-grants
        return maximum - current();
    }

    long current() {
        long sum = 0;
        for (GrantHolder holder : holders) sum += holder.holds();
        return sum;
    }

    /** Returns whether grants that the home does not know of may still come back. */
    boolean isAwaited() {
        return holders.stream().anyMatch(GrantHolder::isAwaited);
    }

    boolean isUrgent() {
        return holders.stream().anyMatch(holder -> holder.urgent);
    }

    List<GrantHolder> wanting() {
        return inTurn(holder -> holder.wanted > 0);
    }

    List<GrantHolder> listening() {
        return inTurn(holder -> holder.full && holder.wanted == 0);
    }

    private List<GrantHolder> inTurn(Predicate<GrantHolder> which) {
        return holders.stream()
                .filter(which)
                .sorted(Comparator.comparingLong(holder -> holder.turn))
                .toList();
    }

    /** Queues with most of the tenant's jobs, as far as partitions have said. */
    SortedMap<String, Long> queues() {
        Map<String, Long> all = new TreeMap<>();
        for (GrantHolder holder : holders) all.putAll(holder.queues);
        return Largest.of(all, MOST_QUEUES);
    }
}
