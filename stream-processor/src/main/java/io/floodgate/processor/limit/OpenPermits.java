package io.floodgate.processor.limit;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** The permits of a key, by date, that have neither been used nor gone back, as far as is known. */
final class OpenPermits {
    /** Memory of one date. */
    private static final long BYTES = 60;

    /** State of a permit that is reported. */
    enum Known {
        OPEN,
        /** The permit counts as used at the end of its time. */
        OVERDUE,
        NOTHING
    }

    private final TreeMap<Long, Integer> open = new TreeMap<>();
    private int count;
    /** Permits without a report in time. */
    private final TreeMap<Long, Integer> overdue = new TreeMap<>();

    void give(long date, int permits) {
        open.merge(date, permits, Integer::sum);
        count += permits;
    }

    /** A permit of this date was used, or is back. */
    Known close(long date) {
        if (takeOne(open, date)) {
            count--;
            return Known.OPEN;
        }
        return takeOne(overdue, date) ? Known.OVERDUE : Known.NOTHING;
    }

    private static boolean takeOne(SortedMap<Long, Integer> permits, long date) {
        if (!permits.containsKey(date)) return false;
        permits.computeIfPresent(date, (same, left) -> left == 1 ? null : left - 1);
        return true;
    }

    /** The oldest open permits, which are overdue from now on; null if there are none whose time is over. */
    Map.@Nullable Entry<Long, Integer> expire(LongPredicate isOver) {
        if (open.isEmpty() || !isOver.test(open.firstKey())) return null;
        Map.Entry<Long, Integer> oldest = open.pollFirstEntry();
        count -= oldest.getValue();
        overdue.put(oldest.getKey(), oldest.getValue());
        return oldest;
    }

    void forgetOverdue(LongPredicate isPast) {
        while (!overdue.isEmpty() && isPast.test(overdue.firstKey())) overdue.pollFirstEntry();
    }

    /** Returns the number of open permits. */
    int count() {
        return count;
    }

    SortedMap<Long, Integer> dates() {
        return open;
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Returns the last date of the open permits; there must be one. */
    long lastDate() {
        return open.lastKey();
    }

    long bytes() {
        return (open.size() + overdue.size()) * BYTES;
    }

    void write(BinaryOut out) {
        write(open, out);
        write(overdue, out);
    }

    private static void write(SortedMap<Long, Integer> permits, BinaryOut out) {
        out.number(permits.size());
        permits.forEach((date, each) -> out.number(date).number(each));
    }

    static OpenPermits read(BinaryIn in) {
        OpenPermits permits = new OpenPermits();
        read(permits.open, in);
        read(permits.overdue, in);
        for (int each : permits.open.values()) permits.count += each;
        return permits;
    }

    private static void read(SortedMap<Long, Integer> permits, BinaryIn in) {
        for (int left = in.integer(); left > 0; left--) permits.put(in.number(), in.integer());
    }
}
