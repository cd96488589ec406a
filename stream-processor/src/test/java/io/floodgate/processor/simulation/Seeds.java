package io.floodgate.processor.simulation;

import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * Which seeds a test runs: {@code -Dqueue.seed=N} one of them, {@code -Dqueue.seeds=N} that many, else what CI has time
 * for, times {@code -Dsearch.effort=F}.
 */
public final class Seeds {
    private static final double EFFORT = Double.parseDouble(System.getProperty("search.effort", "1"));

    private Seeds() {}

    /** All of these, or with less effort evenly some of them. */
    static <T> List<T> some(List<T> all) {
        int step = (int) Math.max(1, Math.round(1 / EFFORT));
        return IntStream.range(0, all.size())
                .filter(i -> i % step == 0)
                .mapToObj(all::get)
                .toList();
    }

    public static void run(int usual, LongConsumer trial) {
        Long only = Long.getLong("queue.seed");
        long first = only == null ? 0 : only;
        long count = only == null ? Long.getLong("queue.seeds", Math.max(1, Math.round(usual * EFFORT))) : 1;
        for (long seed = first; seed < first + count; seed++) {
            try {
                trial.accept(seed);
            } catch (RuntimeException | AssertionError failure) {
                throw new AssertionError("seed %d (-Dqueue.seed=%d): %s".formatted(seed, seed, failure), failure);
            }
        }
    }
}
