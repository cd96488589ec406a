package io.floodgate.topics.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is tried until it works says its cause when that is new, and once a minute that it lasts: not with each attempt. */
public final class Failing {
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private @Nullable String cause;
    private long toldAt;

    /** Whether this is to be logged. */
    public boolean isNews(String newCause) {
        return isNews(newCause, System.nanoTime());
    }

    synchronized boolean isNews(String newCause, long now) {
        if (newCause.equals(cause) && now - toldAt < AGAIN.toNanos()) return false;
        cause = newCause;
        toldAt = now;
        return true;
    }

    /** It has worked. */
    public synchronized void ended() {
        cause = null;
    }
}
