package io.floodgate.topics.queue;

import java.util.Locale;
import java.util.Optional;

/** What becomes of a job that does not fit into its queue (OJS backpressure §5). */
public enum Overflow {
    /** It is rejected. */
    REJECT,
    /** Its producer waits for room, as long as it has said. */
    BLOCK,
    /** The least urgent and then oldest available jobs make room for it. */
    DROP_OLDEST;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Also with a hyphen. */
    public static Optional<Overflow> parse(String text) {
        for (Overflow overflow : values())
            if (overflow.wire().equals(text.replace('-', '_'))) return Optional.of(overflow);
        return Optional.empty();
    }
}
