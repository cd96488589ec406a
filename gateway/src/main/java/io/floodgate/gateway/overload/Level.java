package io.floodgate.gateway.overload;

import java.util.Locale;

/** How full a server is, and what that means. */
public enum Level {
    NORMAL,
    /** Operators are told. */
    WARNING,
    /** New jobs are refused. */
    CRITICAL,
    /** All writes are refused but those that must never be, and operators are alarmed. */
    OVERFLOW;

    boolean refuses(Importance importance) {
        return switch (importance) {
            case NEW_JOBS -> this == CRITICAL || this == OVERFLOW;
            case WRITE -> this == OVERFLOW;
            case ALWAYS -> false;
        };
    }

    /** As clients and operators read it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
