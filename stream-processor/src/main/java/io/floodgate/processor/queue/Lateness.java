package io.floodgate.processor.queue;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How late messages of another log arrive, though the times of two logs may differ: none, as long as nothing is known, or the least
 * difference that was seen is theirs, and what is above it is lateness. What piles up in an outage comes late all at once; where all that
 * is sent in a second is as late, a clock was set.
 */
final class Lateness {
    private static final long LONG_MS = 1_000;

    private long difference;
    /** The first of those that were all as late; null while the last one was in time. */
    private @Nullable Late since;

    private record Late(long sent, long received) {
        long lateness() {
            return received - sent;
        }
    }

    /**
     * How many milliseconds a message was on its way.
     *
     * @param tolerated so many are not late
     */
    long of(long sent, long now, long tolerated) {
        long seen = now - sent;
        difference = Math.min(difference, seen);
        if (seen - difference < tolerated) since = null;
        else if (since == null || Math.abs(seen - since.lateness()) >= tolerated) since = new Late(sent, now);
        else if (sent - since.sent >= LONG_MS) {
            difference = seen;
            since = null;
        }
        return seen - difference;
    }

    /** What the other log calls this time, by the time of this one. */
    Instant here(Instant there) {
        return there.plusMillis(difference);
    }

    void write(BinaryOut out) {
        out.signed(difference).flag(since != null);
        if (since != null) out.number(since.sent).number(since.received);
    }

    void restore(BinaryIn in) {
        difference = in.signed();
        since = in.flag() ? new Late(in.number(), in.number()) : null;
    }
}
