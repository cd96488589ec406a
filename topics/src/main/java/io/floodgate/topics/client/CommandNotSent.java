package io.floodgate.topics.client;

/** The command was not appended and has had, and will have, no effect. */
public sealed class CommandNotSent extends CommandFailed permits CommandCircuitOpen, TooManyInFlight {
    private static final long serialVersionUID = 1L;

    public CommandNotSent(String message) {
        super(message);
    }

    public CommandNotSent(String message, Throwable cause) {
        super(message, cause);
    }
}
