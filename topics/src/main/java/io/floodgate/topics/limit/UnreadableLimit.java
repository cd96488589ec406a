package io.floodgate.topics.limit;

/** Thrown while reading a limit that makes no sense: which field is wrong, and how it must be. */
public final class UnreadableLimit extends Exception {
    private static final long serialVersionUID = 1L;

    private final String field;

    UnreadableLimit(String field, String message) {
        super(message, null, false, false);
        this.field = field;
    }

    public String field() {
        return field;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
