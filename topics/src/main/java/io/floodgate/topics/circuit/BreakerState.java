package io.floodgate.topics.circuit;

import java.util.Locale;

/** Of a circuit breaker. */
public enum BreakerState {
    /** Everything is tried. */
    CLOSED(0),
    /** It has rested: one try at a time, which decides. */
    HALF_OPEN(1),
    /** Nothing is tried until it has rested. */
    OPEN(2);

    private final int level;

    BreakerState(int level) {
        this.level = level;
    }

    /** As operators read it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a gauge shows. */
    public int level() {
        return level;
    }
}
