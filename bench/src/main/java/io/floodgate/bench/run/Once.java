package io.floodgate.bench.run;

import io.floodgate.bench.load.Errors;
import java.util.BitSet;

/** Whether each of {@code count} jobs came, and came only once. */
final class Once {
    private final int count;
    private final BitSet seen;
    private long twice;
    private long strange;

    Once(int count) {
        this.count = count;
        this.seen = new BitSet(count);
    }

    synchronized void add(long number) {
        if (number < 0 || number >= count) {
            strange++;
            return;
        }
        if (seen.get((int) number)) twice++;
        seen.set((int) number);
    }

    synchronized boolean isComplete() {
        return seen.cardinality() == count;
    }

    synchronized void report(Errors errors) {
        int missing = count - seen.cardinality();
        if (missing > 0) errors.add("missing", "a job was enqueued and never handed out", missing);
        if (twice > 0) errors.add("twice", "a job was acked and handed out again", twice);
        if (strange > 0) errors.add("strange", "a job was handed out that this run has not enqueued", strange);
    }
}
