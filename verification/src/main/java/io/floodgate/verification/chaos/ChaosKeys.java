package io.floodgate.verification.chaos;

import java.util.random.RandomGenerator;

/**
 * The keys of a load of unique jobs: few, so that most jobs have a duplicate.
 *
 * @param count of keys of each kind: those of all queues, and those of one queue each
 */
public record ChaosKeys(int count) {
    private static final String[] CONFLICTS = {"reject", "ignore", "replace", "replace_except_schedule"};

    /** Of all queues: it leads to any partition. */
    static String given(long seed, int number) {
        return "%032x%032x".formatted(seed, number);
    }

    int any(RandomGenerator random) {
        return random.nextInt(count);
    }

    static String anyConflict(RandomGenerator random) {
        return CONFLICTS[random.nextInt(CONFLICTS.length)];
    }
}
