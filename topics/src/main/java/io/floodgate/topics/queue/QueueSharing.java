package io.floodgate.topics.queue;

import java.util.Locale;
import java.util.Optional;

/** In which order a fetch looks into its queues (OJS fair scheduling §7). */
public enum QueueSharing {
    /** Always as they are named. */
    STRICT,
    /** Each one first in turn. */
    ROUND_ROBIN,
    /** Each one first as often as its weight says. */
    WEIGHTED,
    /** The one with the most jobs that wait. */
    LEAST_LOADED;

    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<QueueSharing> parse(String text) {
        for (QueueSharing each : values()) if (each.wire().equals(text)) return Optional.of(each);
        return Optional.empty();
    }
}
