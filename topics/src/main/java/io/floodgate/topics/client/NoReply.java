package io.floodgate.topics.client;

import java.time.Duration;

/** The command may have been appended, and may yet be carried out. */
public final class NoReply extends CommandFailed {
    private static final long serialVersionUID = 1L;

    private final boolean timedOut;

    public NoReply(String message) {
        super(message);
        timedOut = false;
    }

    public NoReply(String message, Throwable cause) {
        super(message, cause);
        timedOut = false;
    }

    private NoReply(Duration patience) {
        super("no reply within %d ms".formatted(patience.toMillis()));
        timedOut = true;
    }

    static NoReply within(Duration patience) {
        return new NoReply(patience);
    }

    /** Whether the log had all the time it was given. */
    boolean isTimedOut() {
        return timedOut;
    }
}
