package io.floodgate.topics.unique;

/** Thrown while reading a unique policy that makes no sense: which field is wrong, and how it must be. */
public final class UnreadableUnique extends Exception {
    private static final long serialVersionUID = 1L;

    private final String field;

    UnreadableUnique(String field, String message) {
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
