package io.floodgate.topics.schema;

/** A schema that cannot be registered; the message says why, and where. */
public final class UnreadableSchema extends Exception {
    private static final long serialVersionUID = 1L;

    public UnreadableSchema(String message) {
        super(message);
    }
}
