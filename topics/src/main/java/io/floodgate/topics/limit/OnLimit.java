package io.floodgate.topics.limit;

import java.util.Locale;
import java.util.Optional;

/** What becomes of a job that cannot start because a limit is reached (OJS rate limiting §6.2). */
public enum OnLimit {
    /** It stays available until it can. */
    WAIT,
    /** It is scheduled for when its turn is expected. */
    RESCHEDULE,
    /** It is discarded. */
    DROP;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<OnLimit> parse(String text) {
        for (OnLimit action : values()) if (action.wire().equals(text)) return Optional.of(action);
        return Optional.empty();
    }
}
