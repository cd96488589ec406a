package io.floodgate.gateway.overload;

/** The importance of a request: how soon it is rejected for want of capacity. */
public enum Importance {
    /** The request brings work that can come later: it is rejected first. */
    NEW_JOBS,
    /** The request changes something, and can be tried again. */
    WRITE,
    /**
     * The request reports finished work, takes work away, only looks, or is an operator's remedy: it is never rejected
     * for this.
     */
    ALWAYS
}
