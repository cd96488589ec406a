package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.StoredFields;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts of jobs that did not fit into a queue, and of those that were reported: so that each is reported once.
 *
 * @param level of pressure: 0 for none, 1 for a warning, 2 for critical
 * @param warned it is above its threshold
 * @param fullSince when it became full; null while it is not
 * @param rejected jobs that were rejected since the queue came into being
 * @param dropped jobs that made room since then
 * @param unreported jobs that were rejected since that was published last
 * @param lastTold when that was
 * @param lastBlocked when it was published last that producers wait for room
 */
public record PublishedCounts(
        int level,
        boolean warned,
        @Nullable Instant fullSince,
        long rejected,
        long dropped,
        SortedMap<Rejected, Long> unreported,
        Instant lastTold,
        Instant lastBlocked) {
    static final PublishedCounts NOTHING =
            new PublishedCounts(0, false, null, 0, 0, Collections.emptySortedMap(), Instant.EPOCH, Instant.EPOCH);

    static final StoredFields<PublishedCounts> STORED = StoredFields.of(PublishedCounts.class);

    /**
     * Jobs that are reported together.
     *
     * @param tenant whose bound they did not fit into; {@link #OF_QUEUE} for that of the queue
     */
    public record Rejected(String tenant, String type) implements Comparable<Rejected> {
        /** Name for the queue itself, which no tenant has. */
        public static final String OF_QUEUE = "";

        private static final Comparator<Rejected> ORDER =
                Comparator.comparing(Rejected::tenant).thenComparing(Rejected::type);

        boolean isOfTenant() {
            return !tenant.equals(OF_QUEUE);
        }

        @Override
        public int compareTo(Rejected other) {
            return ORDER.compare(this, other);
        }
    }

    public PublishedCounts {
        // Most queues have none, and share this one.
        unreported = unreported.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(unreported));
    }

    public boolean isAny() {
        return !equals(NOTHING);
    }

    public boolean full() {
        return fullSince != null;
    }

    /** @param now null if it is not full */
    public PublishedCounts at(int newLevel, boolean nowWarned, @Nullable Instant now) {
        Instant since = now == null || fullSince == null ? now : fullSince;
        return new PublishedCounts(newLevel, nowWarned, since, rejected, dropped, unreported, lastTold, lastBlocked);
    }

    public PublishedCounts rejected(Rejected which, long jobs) {
        SortedMap<Rejected, Long> more = new TreeMap<>(unreported);
        more.merge(which, jobs, Long::sum);
        return new PublishedCounts(level, warned, fullSince, rejected + jobs, dropped, more, lastTold, lastBlocked);
    }

    public PublishedCounts droppedOne() {
        return new PublishedCounts(level, warned, fullSince, rejected, dropped + 1, unreported, lastTold, lastBlocked);
    }

    PublishedCounts toldAt(Instant now) {
        return new PublishedCounts(
                level, warned, fullSince, rejected, dropped, Collections.emptySortedMap(), now, lastBlocked);
    }

    public PublishedCounts blockedAt(Instant now) {
        return new PublishedCounts(level, warned, fullSince, rejected, dropped, unreported, lastTold, now);
    }

    static PublishedCounts read(BinaryIn in) {
        PublishedCounts read = STORED.read(in);
        return read.isAny() ? read : NOTHING;
    }
}
