package io.floodgate.topics.limit;

import io.floodgate.topics.json.UnreadableField;

/** Thrown while reading a limit that makes no sense. */
public final class UnreadableLimit extends UnreadableField {
    private static final long serialVersionUID = 1L;

    UnreadableLimit(String field, String message) {
        super(field, message);
    }
}
