package io.floodgate.topics.json;

import org.jspecify.annotations.Nullable;

/** Thrown for bytes that are not the JSON that was expected; {@code field} is the member at fault, if it is one. */
public final class MalformedJson extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable String field;

    MalformedJson(@Nullable String field, String message) {
        super(message, null, false, false);
        this.field = field;
    }

    MalformedJson(String message) {
        this(null, message);
    }

    public @Nullable String field() {
        return field;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
