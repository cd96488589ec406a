package io.floodgate.bench.load;

/** The time that is measured, in {@code System.nanoTime()}: after the warm-up, before the end. */
record MeasuredWindow(long start, long end) {
    boolean contains(long nanos) {
        return nanos - start >= 0 && nanos - end < 0;
    }

    boolean isOver(long nanos) {
        return nanos - end >= 0;
    }
}
