package io.floodgate.topics.queue;

import java.util.Locale;
import java.util.Optional;

/** What becomes of the unfinished jobs of a queue that is deleted (OJS queue configuration §5.3). */
public enum Deletion {
    /** With any, the queue is not deleted. */
    REJECT,
    /** They are discarded. */
    DISCARD,
    /** Another queue gets them. */
    MOVE,
    /** Workers finish them, and nothing new comes in. */
    DRAIN;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Deletion> parse(String text) {
        for (Deletion deletion : values()) if (deletion.wire().equals(text)) return Optional.of(deletion);
        return Optional.empty();
    }
}
