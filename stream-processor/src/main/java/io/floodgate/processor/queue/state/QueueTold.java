package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has become of jobs that did not fit into a queue, and what was reported of it: so that nothing is reported twice, and nothing
 * left out.
 *
 * @param level of pressure: 0 for none, 1 for a warning, 2 for critical
 * @param warned it is above its threshold
 * @param rejected jobs that were refused since the queue came into being
 * @param dropped jobs that made room since then
 * @param untold jobs that were refused since that was told last
 * @param lastTold when that was
 * @param lastBlocked when it was told last that producers wait for room
 */
public record QueueTold(
        int level,
        boolean warned,
        boolean full,
        long rejected,
        long dropped,
        SortedMap<Refused, Long> untold,
        Instant lastTold,
        Instant lastBlocked) {
    static final QueueTold NOTHING =
            new QueueTold(0, false, false, 0, 0, Collections.emptySortedMap(), Instant.EPOCH, Instant.EPOCH);

    /**
     * Jobs that are reported together.
     *
     * @param tenant whose bound they did not fit into; {@link #OF_QUEUE} for that of the queue
     */
    public record Refused(String tenant, String type) implements Comparable<Refused> {
        /** No tenant has this name. */
        public static final String OF_QUEUE = "";

        private static final Comparator<Refused> ORDER =
                Comparator.comparing(Refused::tenant).thenComparing(Refused::type);

        boolean isOfTenant() {
            return !tenant.equals(OF_QUEUE);
        }

        @Override
        public int compareTo(Refused other) {
            return ORDER.compare(this, other);
        }
    }

    public QueueTold {
        // Most queues have none, and share this one.
        untold = untold.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(untold));
    }

    public boolean isAny() {
        return !equals(NOTHING);
    }

    public QueueTold at(int newLevel, boolean nowWarned, boolean nowFull) {
        return new QueueTold(newLevel, nowWarned, nowFull, rejected, dropped, untold, lastTold, lastBlocked);
    }

    public QueueTold rejected(Refused which, long jobs) {
        SortedMap<Refused, Long> more = new TreeMap<>(untold);
        more.merge(which, jobs, Long::sum);
        return new QueueTold(level, warned, full, rejected + jobs, dropped, more, lastTold, lastBlocked);
    }

    public QueueTold droppedOne() {
        return new QueueTold(level, warned, full, rejected, dropped + 1, untold, lastTold, lastBlocked);
    }

    QueueTold toldAt(Instant now) {
        return new QueueTold(level, warned, full, rejected, dropped, Collections.emptySortedMap(), now, lastBlocked);
    }

    public QueueTold blockedAt(Instant now) {
        return new QueueTold(level, warned, full, rejected, dropped, untold, lastTold, now);
    }

    void write(BinaryOut out) {
        out.u8(level).flag(warned).flag(full).number(rejected).number(dropped).number(untold.size());
        untold.forEach((which, jobs) -> out.text(which.tenant).text(which.type).number(jobs));
        out.time(lastTold).time(lastBlocked);
    }

    static QueueTold read(BinaryIn in) {
        int level = in.u8();
        boolean warned = in.flag();
        boolean full = in.flag();
        long rejected = in.number();
        long dropped = in.number();
        SortedMap<Refused, Long> untold = new TreeMap<>();
        for (int left = in.integer(); left > 0; left--) untold.put(new Refused(in.text(), in.text()), in.number());
        QueueTold read = new QueueTold(level, warned, full, rejected, dropped, untold, in.time(), in.time());
        return read.isAny() ? read : NOTHING;
    }
}
