package io.floodgate.topics.client;

import java.time.Duration;

/** The command may have been appended, and may yet be executed. */
public final class NoReply extends CommandFailed {
    private static final long serialVersionUID = 1L;

    /** A partition that is well answers within this time: a caller that waits for less learns nothing about the partition. */
    private static final Duration SAYS_SOMETHING = Duration.ofSeconds(2);

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
        timedOut = patience.compareTo(SAYS_SOMETHING) >= 0;
    }

    static NoReply within(Duration patience) {
        return new NoReply(patience);
    }

    /** Returns whether the partition had the time that it needs, and has not answered. */
    boolean isTimedOut() {
        return timedOut;
    }
}
