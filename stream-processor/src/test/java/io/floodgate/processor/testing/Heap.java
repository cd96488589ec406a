package io.floodgate.processor.testing;

import java.util.function.Supplier;

/** What things really take in memory. */
public final class Heap {
    private Heap() {}

    /** How much larger the live heap is while what is made is there. */
    public static long takenBy(Supplier<?> maker) {
        long before = live();
        Object made = maker.get();
        long after = live();
        if (made == null) throw new IllegalStateException("nothing was made");
        return after - before;
    }

    private static long live() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
