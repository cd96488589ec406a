package io.floodgate.topics.client;

/** There is no answer to a command: see the subclasses for what that says about its effect. */
public abstract sealed class CommandFailed extends Exception permits CommandNotSent, NoReply {
    private static final long serialVersionUID = 1L;

    CommandFailed(String message, Throwable cause) {
        super(message, cause, false, false);
    }

    CommandFailed(String message) {
        super(message, null, false, false);
    }
}
