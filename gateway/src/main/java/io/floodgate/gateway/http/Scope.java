package io.floodgate.gateway.http;

/** What an operation is for: the grain at which callers are told apart. */
public enum Scope {
    /** Puts jobs in, and looks after those it has put in. */
    PRODUCE,
    /** Takes jobs out, and reports on them. */
    CONSUME,
    /** Looks, and changes nothing. */
    OBSERVE,
    /** Changes what belongs to others. */
    ADMIN
}
