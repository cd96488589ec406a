package io.floodgate.processor.kernel;

import java.time.Duration;
import java.time.Instant;

/**
 * A partition whose broker or processor was gone. What is due is done within milliseconds, as long as there is a partition; what is found
 * to be due since longer was due at a time when nobody could reach it. Workers could not send their heartbeats then, nor
 * report what they had done, so they are given the time to do so before their leases end: else a minute without a broker
 * would have every job run again that was finished in it.
 */
public final class OutOfReach {
    private static final Duration LATE = Duration.ofSeconds(5);

    /** Two heartbeats, and two of the longest pauses between tries of a report. */
    public static final Duration GRACE = Duration.ofSeconds(10);

    private OutOfReach() {}

    /** Whether nobody could be heard of when this was due. */
    public static boolean was(Instant due, Instant now) {
        return due.plus(LATE).isBefore(now);
    }
}
