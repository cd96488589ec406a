package io.floodgate.verification.linear;

import java.util.List;
import java.util.Locale;

/**
 * A request, as far as its client knows what came of it. What was not executed is none.
 *
 * @param job its number; 0 where no job was named
 * @param begun in the clients' clock; it takes effect from then on
 * @param ended by when it has taken effect
 */
record QueueOperation(Kind kind, int job, long begun, long ended) {
    enum Kind {
        ENQUEUED,
        /** An enqueue was rejected, because the queue is full. */
        FULL,
        FETCHED,
        /** A fetch got no job. */
        EMPTY,
        /** The answer to a fetch is unknown: it may take the first job at any time. The job may come back to its place. */
        LOST_FETCH,
        ACKED,
        /** The job was shown as available or active. */
        PRESENT,
        /** The job was shown as ended, or as unknown, or its ack was rejected. */
        ABSENT;

        boolean changesNothing() {
            return READS.contains(this);
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    private static final List<Kind> READS = List.of(Kind.FULL, Kind.EMPTY, Kind.PRESENT, Kind.ABSENT);

    static QueueOperation lostFetch(long begun) {
        return new QueueOperation(Kind.LOST_FETCH, 0, begun, Long.MAX_VALUE);
    }

    /** With times in milliseconds after this one. */
    String told(long zero) {
        return "%s%s [%.1f, %.1f]"
                .formatted(kind, job == 0 ? "" : " " + job, (begun - zero) / 1e6, (ended - zero) / 1e6);
    }
}
