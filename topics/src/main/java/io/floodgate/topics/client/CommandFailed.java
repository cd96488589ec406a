package io.floodgate.topics.client;

/** A command has no answer: the subclasses say whether it may have had an effect. */
public abstract sealed class CommandFailed extends Exception permits CommandNotSent, NoReply {
    private static final long serialVersionUID = 1L;

    CommandFailed(String message, Throwable cause) {
        super(message, cause, false, false);
    }

    CommandFailed(String message) {
        super(message, null, false, false);
    }
}
