package io.floodgate.topics.client;

import org.jspecify.annotations.Nullable;

/** By which a caller says, from any thread, that it waits no longer. Once said, it holds for all that follows. */
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

    /** What ends the wait that begins now; it takes the place of what was said before. */
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
