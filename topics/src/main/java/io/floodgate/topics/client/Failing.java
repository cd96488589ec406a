package io.floodgate.topics.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Logs the cause of an operation that is tried until it works: when the cause is new, and once a minute that it lasts,
 * not with each attempt.
 */
public final class Failing {
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private @Nullable String cause;
    private long toldAt;

    /** Returns whether this is to be logged. */
    public boolean isNews(String newCause) {
        return isNews(newCause, System.nanoTime());
    }

    synchronized boolean isNews(String newCause, long now) {
        if (newCause.equals(cause) && now - toldAt < AGAIN.toNanos()) return false;
        cause = newCause;
        toldAt = now;
        return true;
    }

    /** Notes that the operation has worked. */
    public synchronized void ended() {
        cause = null;
    }
}
