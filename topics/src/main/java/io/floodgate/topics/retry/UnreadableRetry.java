package io.floodgate.topics.retry;

import io.floodgate.topics.json.UnreadableField;

/** Thrown for what is no retry policy, nor a part of one. */
public final class UnreadableRetry extends UnreadableField {
    private static final long serialVersionUID = 1L;

    UnreadableRetry(String field, String message) {
        super(field, message);
    }
}
