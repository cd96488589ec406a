package io.floodgate.topics.client;

/** The command was not even tried: as many as may be are waiting for a reply already. */
public final class TooManyInFlight extends CommandNotSent {
    private static final long serialVersionUID = 1L;

    public TooManyInFlight() {
        super("too many commands are waiting for a reply");
    }
}
