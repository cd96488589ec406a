package io.floodgate.topics.client;

import io.floodgate.topics.command.Rejection;

/** A partition's definite no, where a method returns something else than a {@code Reply}. */
public final class RejectedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Rejection rejection;

    public RejectedException(Rejection rejection) {
        super(rejection.message(), null, false, false);
        this.rejection = rejection;
    }

    public Rejection rejection() {
        return rejection;
    }
}
