package io.floodgate.verification.history;

/** What a caller heard. */
public enum Answer {
    OK,
    /** A definite no: nothing was changed. */
    REJECTED,
    /** A time-out, a reset, an error of the server: it may or may not have been executed, now or later. */
    UNKNOWN;

    public boolean mayHaveHappened() {
        return this != REJECTED;
    }
}
