package io.floodgate.gateway.overload;

import java.util.Locale;

/** How full a server is, and what that means. */
public enum Level {
    NORMAL,
    /** Operators are warned. */
    WARNING,
    /** New jobs are rejected. */
    CRITICAL,
    /** All writes are rejected but those that must never be, and operators are alarmed. */
    OVERFLOW;

    /** The next one down; the lowest has none. */
    Level below() {
        return switch (this) {
            case NORMAL, WARNING -> NORMAL;
            case CRITICAL -> WARNING;
            case OVERFLOW -> CRITICAL;
        };
    }

    /** What a gauge shows. */
    int number() {
        return switch (this) {
            case NORMAL -> 0;
            case WARNING -> 1;
            case CRITICAL -> 2;
            case OVERFLOW -> 3;
        };
    }

    boolean rejects(Importance importance) {
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
