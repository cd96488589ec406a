package io.floodgate.topics.limit;

import java.util.Locale;
import java.util.Optional;

/** Reactions to a limit that is reached (OJS rate limiting §6.2). */
public enum OnLimit {
    /** The job stays available until it can start. */
    WAIT,
    /** The job is scheduled for when its turn is expected. */
    RESCHEDULE,
    /** The job is discarded. */
    DROP;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<OnLimit> parse(String text) {
        for (OnLimit action : values()) if (action.wire().equals(text)) return Optional.of(action);
        return Optional.empty();
    }
}
