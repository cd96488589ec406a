package io.floodgate.topics.calendar;

/** An expression or a time zone that makes no sense; the message says which word of it, and why. */
public final class UnreadableExpression extends Exception {
    private static final long serialVersionUID = 1;

    private final String field;

    /** @param field {@code expression} or {@code timezone} */
    UnreadableExpression(String field, String message) {
        super(message);
        this.field = field;
    }

    static UnreadableExpression of(String message) {
        return new UnreadableExpression("expression", message);
    }

    public String field() {
        return field;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
