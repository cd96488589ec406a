package io.floodgate.topics.client;

import java.time.Duration;

/** The command was not even tried: no answer has come for a while, and it is not yet time to ask again. */
public final class CommandCircuitOpen extends CommandNotSent {
    private static final long serialVersionUID = 1L;

    private final Duration rest;

    /** @param of who does not answer */
    public CommandCircuitOpen(String of, Duration rest) {
        super("%s does not answer, and is not asked for another %d s".formatted(of, Math.max(1, rest.toSeconds())));
        this.rest = rest;
    }

    /** Returns how long to wait before another try. */
    public Duration rest() {
        return rest;
    }
}
