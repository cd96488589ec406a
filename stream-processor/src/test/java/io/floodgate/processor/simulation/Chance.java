package io.floodgate.processor.simulation;

import java.util.List;
import java.util.Random;

/** What a seed decides. */
final class Chance {
    private final Random random;

    Chance(long seed) {
        // Neighbouring seeds begin alike; a few numbers later they no longer do.
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        for (int i = 0; i < 4; i++) random.nextInt();
    }

    /** From 0 to {@code bound - 1}. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int n) {
        return below(n) == 0;
    }

    long bits() {
        return random.nextLong();
    }

    <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }

    @SafeVarargs
    final <T> T oneOf(T... choices) {
        return choices[below(choices.length)];
    }
}
