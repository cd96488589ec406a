package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Capacity that partitions share. None may take more of it than would be left for all others: one partition that gives
 * nothing back comes to hold half of it, two hold a third each, and there is always some for a partition that is well.
 * The same holds for the sources of commands, in all and within a partition. A source that has little may have a little
 * more, however much others have filled a partition.
 */
final class Budget {
    static final long UNLIMITED = Long.MAX_VALUE / 2;

    /** Part of the rest that a source may have in any partition. */
    private static final int LITTLE = 64;

    private final long total;
    private final long perLog;
    private final Map<PartitionId, OfLog> taken = new HashMap<>();
    private final Map<String, Long> takenBySource = new HashMap<>();
    private long takenByAll;

    private static final class OfLog {
        private long all;
        private final Map<String, Long> bySource = new HashMap<>();
    }

    private Budget(long total, long perLog) {
        this.total = total;
        this.perLog = perLog;
    }

    static Budget shared(long total) {
        return new Budget(total, total);
    }

    static Budget perLog(long most) {
        return new Budget(UNLIMITED, most);
    }

    static Budget unlimited() {
        return new Budget(UNLIMITED, UNLIMITED);
    }

    /** @param source who takes it; null for this process itself, which need not leave room for others */
    synchronized boolean take(PartitionId log, @Nullable String source, long amount) {
        OfLog of = taken.get(log);
        long own = amount + (of == null ? 0 : of.all);
        long left = total - takenByAll - amount;
        if (source == null ? own > perLog || own > left : !isFair(of, source, amount, own, left)) return false;
        if (of == null) {
            of = new OfLog();
            taken.put(log, of);
        }
        of.all = own;
        takenByAll += amount;
        if (source != null) {
            of.bySource.merge(source, amount, Long::sum);
            takenBySource.merge(source, amount, Long::sum);
        }
        return true;
    }

    /**
     * @param own what the partition would hold
     * @param left what would be left for all partitions
     */
    private boolean isFair(@Nullable OfLog of, String source, long amount, long own, long left) {
        if (own > perLog || amount + takenBySource.getOrDefault(source, 0L) > left) return false;
        long ofSource = amount + (of == null ? 0 : of.bySource.getOrDefault(source, 0L));
        return ofSource <= Math.min(perLog - own, (left - own) / 2) || ofSource <= left / LITTLE;
    }

    synchronized void giveBack(PartitionId log, @Nullable String source, long amount) {
        takenByAll -= amount;
        OfLog of = taken.get(log);
        if (of == null) return;
        of.all -= amount;
        if (source != null) {
            of.bySource.computeIfPresent(source, (who, own) -> own == amount ? null : own - amount);
            takenBySource.computeIfPresent(source, (who, own) -> own == amount ? null : own - amount);
        }
        if (of.all == 0) taken.remove(log);
    }

    synchronized double saturation() {
        return (double) takenByAll / total;
    }

    synchronized long taken(PartitionId log) {
        OfLog of = taken.get(log);
        return of == null ? 0 : of.all;
    }
}
