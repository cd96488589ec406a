package io.floodgate.topics.unique;

import io.floodgate.topics.json.UnreadableField;

/** Thrown while reading a unique policy that makes no sense. */
public final class UnreadableUnique extends UnreadableField {
    private static final long serialVersionUID = 1L;

    UnreadableUnique(String field, String message) {
        super(field, message);
    }
}
