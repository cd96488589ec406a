package io.floodgate.topics.json;

/** Thrown while reading a value that makes no sense: which field is wrong, and how it must be. */
public abstract class UnreadableField extends Exception {
    private static final long serialVersionUID = 1L;

    private final String field;

    protected UnreadableField(String field, String message) {
        super(message, null, false, false);
        this.field = field;
    }

    public final String field() {
        return field;
    }

    public final String reason() {
        return String.valueOf(getMessage());
    }
}
