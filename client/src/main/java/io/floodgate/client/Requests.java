package io.floodgate.client;

import java.util.ArrayDeque;
import java.util.Deque;

/** The bound on requests under way. When none is free, callers wait in order. */
final class Requests {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    Requests(int most) {
        free = most;
    }

    /** Takes a request. Returns false if it has to wait: then {@code granted} runs as soon as it has one. */
    synchronized boolean take(Runnable granted) {
        if (free == 0) {
            waiting.add(granted);
            return false;
        }
        free--;
        return true;
    }

    void give() {
        Runnable next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) free++;
        }
        if (next != null) next.run();
    }
}
