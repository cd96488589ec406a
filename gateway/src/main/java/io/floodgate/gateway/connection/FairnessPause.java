package io.floodgate.gateway.connection;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets others have a turn after some requests. A thread that waits for nothing keeps its processor, since nothing takes
 * a virtual thread from it: a few callers whose requests are answered from memory, and whose next ones are there
 * already, would keep all others waiting for seconds. It rests by a timer: one that only yields comes again before
 * those that have just become ready.
 */
final class FairnessPause {
    private static final int RUN = 16;

    /** Short beside what such a run takes that asks a partition, and long enough for the others' queue to become empty. */
    private static final Duration REST = Duration.ofNanos(50_000);

    private int requests;

    /** Another request has been answered. */
    void answered() {
        if (++requests < RUN) return;
        LockSupport.parkNanos(REST.toNanos());
        requests = 0;
    }
}
