package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;

/** The command was not even tried: as many as may be are under way to its partition already. */
public final class TooManyInFlight extends CommandNotSent {
    private static final long serialVersionUID = 1L;

    public TooManyInFlight() {
        super("too many commands are waiting for a reply");
    }

    TooManyInFlight(PartitionId log) {
        super("too many commands to %s are waiting for a reply".formatted(log));
    }
}
