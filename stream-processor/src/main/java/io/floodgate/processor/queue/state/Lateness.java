package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;

/**
 * Decides how late messages of another partition arrive, though the clocks of two partitions may differ. Without other
 * evidence they do not differ. A message that arrives before it could have been sent shows a difference. So does an
 * answer that seems to have been on its way for longer than since its question was asked: then a clock was set.
 */
public final class Lateness {
    private long difference;

    /**
     * Returns how many milliseconds a message was on its way, at most.
     *
     * @param asked when the question was sent that it answers, by the time of this partition; 0 if it answers none
     * @param tolerated this many are not late
     */
    public long of(long sent, long asked, long now, long tolerated) {
        long seen = now - sent;
        long trip = asked == 0 ? Long.MAX_VALUE : now - asked;
        if (seen < difference) difference = seen;
        else if (seen - difference >= tolerated && trip < tolerated) difference = seen - trip;
        return seen - difference;
    }

    /** Returns a time of the other partition by the clock of this one. */
    public Instant here(Instant there) {
        return there.plusMillis(difference);
    }

    /** Returns a time of this partition by the clock of the other one. */
    public long there(long here) {
        return here - difference;
    }

    public long here(long there) {
        return there + difference;
    }

    void write(BinaryOut out) {
        out.signed(difference);
    }

    void restore(BinaryIn in) {
        difference = in.signed();
    }
}
