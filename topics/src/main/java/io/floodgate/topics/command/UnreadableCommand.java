package io.floodgate.topics.command;

/** Thrown for a record in a partition that is no command: rejected, announced and counted, never skipped silently. */
public final class UnreadableCommand extends Exception {
    private static final long serialVersionUID = 1L;

    public UnreadableCommand(String message) {
        super(message, null, false, false);
    }

    public Rejection rejection() {
        return Rejection.of(ErrorCode.INVALID_PAYLOAD, String.valueOf(getMessage()));
    }
}
