package io.floodgate.topics.calendar;

import io.floodgate.topics.json.UnreadableField;

/** An expression or a time zone that makes no sense; the reason says which word of it, and why. */
public final class UnreadableExpression extends UnreadableField {
    private static final long serialVersionUID = 1L;

    /** @param field {@code expression} or {@code timezone} */
    UnreadableExpression(String field, String message) {
        super(field, message);
    }

    static UnreadableExpression of(String message) {
        return new UnreadableExpression("expression", message);
    }
}
