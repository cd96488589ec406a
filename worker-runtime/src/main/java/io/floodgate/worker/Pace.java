package io.floodgate.worker;

import io.floodgate.topics.circuit.Backoff;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Time as a worker sees it: alarms, and how long to wait after failures. */
record Pace(Alarms alarms) {
    private static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofMillis(2_500);
    /** As much again by chance: workers that failed together do not return together. */
    private static final double SPREAD = 1;

    static Pace ofTheSystem() {
        return of(Alarms.ofTheSystem());
    }

    static Pace of(Alarms alarms) {
        return new Pace(alarms);
    }

    /** From 50 to 100 ms, doubling up to 5 s. */
    Backoff backoff() {
        return new Backoff(
                FIRST, LONGEST, SPREAD, () -> ThreadLocalRandom.current().nextDouble());
    }
}
