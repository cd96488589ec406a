package io.floodgate.gateway.access;

import io.floodgate.topics.json.WireName;
import java.util.List;
import java.util.Optional;

/** The purpose of an operation: the unit in which keys get permissions. */
public enum Scope implements WireName {
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

    /** Scopes that a key can have. */
    public static final List<Scope> OF_KEYS = List.of(PRODUCE, CONSUME, OBSERVE, ADMIN);

    public static Optional<Scope> parse(String text) {
        return OF_KEYS.stream().filter(scope -> scope.wire().equals(text)).findFirst();
    }
}
