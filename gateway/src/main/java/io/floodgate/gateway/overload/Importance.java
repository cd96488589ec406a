package io.floodgate.gateway.overload;

/** How soon a request is rejected for want of room. */
public enum Importance {
    /** It brings work that can come later: the first to go. */
    NEW_JOBS,
    /** It changes something, and can be tried again. */
    WRITE,
    /** It reports finished work, takes work away, only looks, or is what an operator does about it: never for this. */
    ALWAYS
}
