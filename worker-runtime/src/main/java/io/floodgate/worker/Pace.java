package io.floodgate.worker;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Time as a worker sees it: alarms, and how long to wait after failures. */
record Pace(Alarms alarms, Backoff backoff) {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    static Pace ofTheSystem() {
        return of(Alarms.ofTheSystem());
    }

    static Pace of(Alarms alarms) {
        return new Pace(alarms, new Backoff(FIRST, LONGEST, RandomGenerator.getDefault()));
    }
}
