package io.floodgate.topics.queue;

import java.util.Locale;
import java.util.Optional;

/** What gateways write the jobs of a queue to. */
public enum EnqueueThrough {
    /** The topic of the queue, if it has one. */
    QUEUE_TOPIC,
    /** The topic of all commands. */
    COMMANDS;

    /** As it is written. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<EnqueueThrough> parse(String text) {
        for (EnqueueThrough one : values()) if (one.wire().equals(text)) return Optional.of(one);
        return Optional.empty();
    }
}
