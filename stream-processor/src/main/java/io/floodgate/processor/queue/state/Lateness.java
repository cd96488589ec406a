package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;

/**
 * How late messages of another partition arrive, though the times of two logs may differ. As long as nothing else is known they do not.
 * What arrives before it could have been sent shows a difference; so does an answer that seems to have been on its way for longer
 * than since its question was asked: then a clock was set.
 */
public final class Lateness {
    private long difference;

    /**
     * How many milliseconds a message was on its way, at most.
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

    /** What the other partition calls this time, by the time of this one. */
    public Instant here(Instant there) {
        return there.plusMillis(difference);
    }

    /** This time, as the other partition calls it. */
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
