package io.floodgate.processor.kernel;

import java.util.ArrayDeque;
import java.util.Deque;

/** Takes back what the step at hand has changed in memory; its writes are simply not made. */
public final class Undo {
    private final Deque<Runnable> inverses = new ArrayDeque<>();
    private boolean rollingBack;

    /** The step has done something, and this would take it back. */
    public void by(Runnable inverse) {
        if (!rollingBack) inverses.push(inverse);
    }

    /** Keeps the changes of the step. */
    public void forget() {
        inverses.clear();
    }

    /** The step never was: the last thing is taken back first. */
    public void rollBack() {
        rollingBack = true;
        try {
            while (!inverses.isEmpty()) inverses.pop().run();
        } finally {
            rollingBack = false;
            inverses.clear();
        }
    }
}
