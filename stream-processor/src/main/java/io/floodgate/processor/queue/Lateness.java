package io.floodgate.processor.queue;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;

/**
 * How late messages of another log arrive, though the times of two logs may differ: the least difference that was seen is
 * theirs, and what is above it is lateness. Several late ones in a row, and one clock has been set.
 */
final class Lateness {
    private static final int SEVERAL = 3;

    private boolean known;
    private long difference;
    private int late;

    /**
     * How many milliseconds a message was on its way.
     *
     * @param tolerated so many are not late
     */
    long of(long sent, long now, long tolerated) {
        long seen = now - sent;
        if (!known || seen < difference) {
            known = true;
            difference = seen;
        }
        if (seen - difference < tolerated) late = 0;
        else if (++late == SEVERAL) {
            difference = seen;
            late = 0;
        }
        return seen - difference;
    }

    void write(BinaryOut out) {
        out.flag(known).signed(difference).number(late);
    }

    void restore(BinaryIn in) {
        known = in.flag();
        difference = in.signed();
        late = in.integer();
    }
}
