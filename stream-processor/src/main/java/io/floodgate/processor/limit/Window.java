package io.floodgate.processor.limit;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.limit.Pace;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The starts of the last period, so that there are never more than the limit in any interval of one period, wherever it
 * begins. Times are in milliseconds.
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

    private static final long GROUP_BYTES = 100;

    /** Starts that are counted together: the times of the first and the last, and how many. */
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

    private final ArrayDeque<Group> groups = new ArrayDeque<>();
    private long total;

    /** In memory. */
    long bytes() {
        return groups.size() * GROUP_BYTES;
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    /** Forgets what is older than this. */
    void forgetBefore(long time) {
        for (Group oldest = groups.peekFirst(); oldest != null && oldest.last <= time; oldest = groups.peekFirst()) {
            total -= oldest.count;
            groups.removeFirst();
        }
    }

    long count(long now, Pace rate) {
        long count = total;
        for (Group group : groups) {
            if (group.last + rate.period().toMillis() > now) break;
            count -= group.count;
        }
        return count;
    }

    void add(long first, long last, long count, Pace rate) {
        long grain = rate.starts() <= EXACT ? 0 : rate.period().toMillis() / EXACT;
        Group newest = groups.peekLast();
        long from = newest == null ? first : Math.max(first, newest.last);
        long to = Math.max(from, last);
        if (newest != null && to - newest.first <= grain) {
            newest.last = to;
            newest.count += count;
        } else {
            groups.addLast(new Group(from, to, count));
        }
        total += count;
    }

    /** What was counted at this time began no job. */
    void remove(long time) {
        for (Iterator<Group> newest = groups.descendingIterator(); newest.hasNext(); ) {
            Group group = newest.next();
            if (group.first > time) continue;
            if (group.last < time) return;
            total--;
            if (--group.count == 0) newest.remove();
            return;
        }
    }

    /** Since when, or from when on, there is room for so many starts; 0 if there always was. */
    long roomFor(int more, Pace rate) {
        if (total + more <= rate.starts()) return 0;
        long left = total;
        for (Group group : groups) {
            left -= group.count;
            if (left + more <= rate.starts()) return group.last + rate.period().toMillis();
        }
        return 0;
    }

    /** The time of the last start; 0 if there was none. */
    long last() {
        Group newest = groups.peekLast();
        return newest == null ? 0 : newest.last;
    }

    void write(BinaryOut out) {
        out.number(groups.size());
        long before = 0;
        for (Group group : groups) {
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
            window.groups.addLast(group);
            window.total += group.count;
            before = first;
        }
        return window;
    }
}
