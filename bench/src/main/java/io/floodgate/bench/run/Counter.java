package io.floodgate.bench.run;

import java.util.concurrent.atomic.AtomicLong;

/** Deals out the numbers from 0 to a limit. */
final class Counter {
    record Range(long from, long to) {
        boolean isEmpty() {
            return from >= to;
        }

        int size() {
            return (int) (to - from);
        }
    }

    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    Counter(long limit) {
        this.limit = limit;
    }

    Range take(int size) {
        long from = Math.min(limit, taken.getAndAdd(size));
        return new Range(from, Math.min(limit, from + size));
    }
}
