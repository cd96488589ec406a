package io.floodgate.topics.client;

/** The command may have been appended, and may yet be carried out. */
public final class NoReply extends CommandFailed {
    private static final long serialVersionUID = 1L;

    public NoReply(String message) {
        super(message);
    }

    public NoReply(String message, Throwable cause) {
        super(message, cause);
    }
}
