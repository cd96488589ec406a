package io.floodgate.processor.kernel;

import java.time.Duration;
import java.time.Instant;

/**
 * A partition whose broker or processor was gone. A timer fires within milliseconds, as long as the partition is there;
 * one that is found later was due at a time when no client could reach the partition. Workers could not send their
 * heartbeats then, nor report what they had done, so they are given the time to do so before their leases end: else a
 * minute without a broker would have every job run again that was finished in it.
 */
public final class OutOfReach {
    private static final Duration LATE = Duration.ofSeconds(5);

    /** How much longer a lease lasts: a call that is given up after 5 s, and several tries of a report after it. */
    public static final Duration GRACE = Duration.ofSeconds(15);

    /** A worker that is silent for this time is lost: six missed heartbeats. After an outage it has as much time again. */
    public static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);

    private OutOfReach() {}

    /** Returns whether the partition was out of reach when this was due. */
    public static boolean was(Instant due, Instant now) {
        return due.plus(LATE).isBefore(now);
    }
}
