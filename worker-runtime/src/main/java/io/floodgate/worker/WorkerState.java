package io.floodgate.worker;

import java.util.Locale;

/** States of a worker (OJS worker protocol §4). */
public enum WorkerState {
    RUNNING,
    /** Finishes what it has and claims nothing, until another directive comes. */
    QUIET,
    TERMINATE;

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the state of this name. One of a newer server that this version does not know is no reason to stop
     * working.
     */
    static WorkerState parse(String wire) {
        for (WorkerState state : values()) if (state.wire().equals(wire)) return state;
        return RUNNING;
    }
}
