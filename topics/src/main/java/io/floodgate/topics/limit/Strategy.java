package io.floodgate.topics.limit;

import java.util.Locale;
import java.util.Optional;

/** Parts of a limit that can hold jobs back. */
public enum Strategy {
    CONCURRENCY,
    RATE,
    THROTTLE,
    /** A worker has said that nothing may start before a time (OJS rate limiting §9.1). */
    ADJUSTED,
    /** Keys of rate limits take as much memory as they may where this one is decided. */
    MEMORY;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Strategy> parse(String text) {
        for (Strategy strategy : values()) if (strategy.wire().equals(text)) return Optional.of(strategy);
        return Optional.empty();
    }
}
