package io.floodgate.topics.version;

/** An expression is no range of versions; the message says why, and names the expression. */
public final class UnreadableRange extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableRange(String message) {
        super(message, null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
