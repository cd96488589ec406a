package io.floodgate.client;

/** A line's right to a request: had, waited for, or neither. To be guarded by the line. */
final class Turn {
    private final Requests requests;
    private final Runnable granted;
    private boolean had;
    private boolean awaited;

    /** @param granted called, on any thread, when a turn that was waited for has come; it is to call {@link #come} */
    Turn(Requests requests, Runnable granted) {
        this.requests = requests;
        this.granted = granted;
    }

    boolean take() {
        if (!had && !awaited) {
            had = requests.take(granted);
            awaited = !had;
        }
        return had;
    }

    void come() {
        had = true;
        awaited = false;
    }

    boolean isAwaited() {
        return awaited;
    }

    /** Returns whether there was one; then it is to be given back, without the guard. */
    boolean drop() {
        boolean was = had;
        had = false;
        return was;
    }
}
