package io.floodgate.processor.limit;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.limit.Pace;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * The starts of the last period, so that there are never more than the limit in any interval of one period, wherever it
 * begins. Times are in milliseconds, and need not be added in order: other partitions report their starts when they can.
 *
 * <pre>
 *                     |&lt;------------ period ------------&gt;|
 *   ···|2|····|1|·····|3|·········|5|·········|2|········now
 *    gone   gone       counted: 3 + 5 + 2; room for one more when |3| is a period old
 * </pre>
 *
 * Up to a limit of {@link #EXACT} each start has its own time. Of a higher limit those of a thousandth of the period are kept
 * together, and count until the last of them is a period old: too long by that thousandth, never too short.
 */
final class Window {
    static final int EXACT = 1_024;

    private static final long GROUP_BYTES = 140;

    /** Starts that are counted together: the times of the first and the last, and how many. Groups do not overlap. */
    private static final class Group {
        private final long first;
        private long last;
        private long count;

        private Group(long first, long last, long count) {
            this.first = first;
            this.last = last;
            this.count = count;
        }
    }

    private final TreeMap<Long, Group> groups = new TreeMap<>();
    private long total;

    /** Returns the memory that the window takes. */
    long bytes() {
        return groups.size() * GROUP_BYTES;
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    /** Forgets what is older than this. */
    void forgetBefore(long time) {
        for (Map.Entry<Long, Group> oldest = groups.firstEntry();
                oldest != null && oldest.getValue().last <= time;
                oldest = groups.firstEntry()) {
            total -= oldest.getValue().count;
            groups.pollFirstEntry();
        }
    }

    long count(long now, Pace rate) {
        long count = total;
        for (Group group : groups.values()) {
            // mutant: sliding-window
            if (group.last + rate.period().toMillis() > now) break;
            count -= group.count;
        }
        return count;
    }

    void add(long time, long count, Pace rate) {
        long grain = rate.starts() <= EXACT ? 0 : rate.period().toMillis() / EXACT;
        Map.Entry<Long, Group> before = groups.floorEntry(time);
        Group group = before == null ? null : before.getValue();
        if (group != null && time <= Math.max(group.last, group.first + grain)) {
            group.last = Math.max(group.last, time);
            group.count += count;
        } else {
            groups.put(time, new Group(time, time, count));
        }
        total += count;
    }

    /** Removes a start that was counted at this time, since no job has started. */
    void remove(long time) {
        Map.Entry<Long, Group> found = groups.floorEntry(time);
        if (found == null || found.getValue().last < time) return;
        total--;
        if (--found.getValue().count == 0) groups.remove(found.getKey());
    }

    /**
     * Returns when one more start is allowed; 0 if it always was.
     *
     * @param later how many starts are counted beside these, by a date
     * @param counted at which time those of a date are
     */
    long roomFor(Pace rate, SortedMap<Long, Integer> later, LongUnaryOperator counted) {
        long tooMany = total + 1 - rate.starts();
        for (int count : later.values()) tooMany += count;
        if (tooMany <= 0) return 0;
        for (Group group : groups.values()) {
            tooMany -= group.count;
            if (tooMany <= 0) return group.last + rate.period().toMillis();
        }
        for (Map.Entry<Long, Integer> each : later.entrySet()) {
            tooMany -= each.getValue();
            if (tooMany <= 0)
                return counted.applyAsLong(each.getKey()) + rate.period().toMillis();
        }
        return 0;
    }

    /** The time of the last start; 0 if there was none. */
    long last() {
        Map.Entry<Long, Group> newest = groups.lastEntry();
        return newest == null ? 0 : newest.getValue().last;
    }

    void write(BinaryOut out) {
        out.number(groups.size());
        long before = 0;
        for (Group group : groups.values()) {
            out.number(group.first - before).number(group.last - group.first).number(group.count);
            before = group.first;
        }
    }

    static Window read(BinaryIn in) {
        Window window = new Window();
        long before = 0;
        for (int left = in.integer(); left > 0; left--) {
            long first = before + in.number();
            Group group = new Group(first, first + in.number(), in.number());
            window.groups.put(first, group);
            window.total += group.count;
            before = first;
        }
        return window;
    }
}
