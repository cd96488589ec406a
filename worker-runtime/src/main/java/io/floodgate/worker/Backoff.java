package io.floodgate.worker;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Doubling delays between tries, spread so that workers that failed together do not return together. */
record Backoff(Duration first, Duration longest, RandomGenerator chance) {
    /** The delay after so many failures in a row: between half of the nominal delay and all of it. */
    Duration after(int failures) {
        long nominal = first.toMillis() << Math.min(Math.max(failures - 1, 0), 20);
        long capped = Math.min(nominal, longest.toMillis());
        return Duration.ofMillis(capped - (long) (capped * chance.nextDouble() / 2));
    }
}
