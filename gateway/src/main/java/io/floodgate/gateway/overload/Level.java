package io.floodgate.gateway.overload;

import java.util.Locale;

/** Load-shedding levels of a server. */
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

    /** Returns the number that a gauge shows. */
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

    /** Returns the name for clients and operators. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
