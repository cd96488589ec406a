package io.floodgate.topics.circuit;

import java.util.Locale;

/** States of a circuit breaker. */
public enum BreakerState {
    /** Everything is tried. */
    CLOSED(0),
    /** The breaker has rested: one try at a time decides. */
    HALF_OPEN(1),
    /** Nothing is tried until the breaker has rested. */
    OPEN(2);

    private final int level;

    BreakerState(int level) {
        this.level = level;
    }

    /** Returns the name for operators. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the number that a gauge shows. */
    public int level() {
        return level;
    }
}
