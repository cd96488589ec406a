package io.floodgate.topics.retry;

/** Thrown for what is no retry policy, nor a part of one: which field is wrong, and how it must be. */
public final class UnreadableRetry extends Exception {
    private static final long serialVersionUID = 1L;

    private final String field;

    UnreadableRetry(String field, String message) {
        super(message, null, false, false);
        this.field = field;
    }

    public String field() {
        return field;
    }

    public String message() {
        return String.valueOf(getMessage());
    }
}
