package io.floodgate.gateway.access;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What an operation is for: the unit in which keys get permissions. */
public enum Scope {
    /** Puts jobs in, and looks after those it has put in. */
    PRODUCE,
    /** Takes jobs out, and reports on them. */
    CONSUME,
    /** Looks, and changes nothing. */
    OBSERVE,
    /** Changes what belongs to others. */
    ADMIN,
    /** Shows no data of callers: every caller is answered, with a key or without. */
    PUBLIC;

    /** Those that a key can have. */
    public static final List<Scope> OF_KEYS = List.of(PRODUCE, CONSUME, OBSERVE, ADMIN);

    /** As it stands in a file of keys. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Scope> parse(String text) {
        return OF_KEYS.stream().filter(scope -> scope.wire().equals(text)).findFirst();
    }
}
