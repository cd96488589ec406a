package io.floodgate.worker;

import io.floodgate.topics.circuit.RetryDelay;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Time as a worker sees it: alarms, and how long to wait after failures. */
record RetryTiming(WorkerClock alarms) {
    private static final Duration FIRST = Duration.ofMillis(50);
    /** A partition that is back gives workers 15 s: time for a call that is given up, and for several tries. */
    private static final Duration LONGEST = Duration.ofSeconds(1);
    /** Part of a delay that comes on top by chance: workers that failed together do not return together. */
    private static final double SPREAD = 1;

    static RetryTiming ofTheSystem() {
        return of(WorkerClock.ofTheSystem());
    }

    static RetryTiming of(WorkerClock alarms) {
        return new RetryTiming(alarms);
    }

    /** Returns delays from 50 to 100 ms, doubling up to 2 s. */
    RetryDelay backoff() {
        return new RetryDelay(
                FIRST, LONGEST, SPREAD, () -> ThreadLocalRandom.current().nextDouble());
    }
}
