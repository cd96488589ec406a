package io.floodgate.topics.client;

import org.jspecify.annotations.Nullable;

/** Lets a caller say, from any thread, that it waits no longer. Once said, it holds for all that follows. */
public final class Cancellation {
    private boolean cancelled;
    private @Nullable Runnable action;

    public void cancel() {
        Runnable now;
        synchronized (this) {
            cancelled = true;
            now = action;
            action = null;
        }
        if (now != null) now.run();
    }

    public synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Sets the action that ends the wait which begins now; it replaces the one before. */
    public void onCancel(Runnable ending) {
        synchronized (this) {
            if (!cancelled) {
                action = ending;
                return;
            }
        }
        ending.run();
    }
}
