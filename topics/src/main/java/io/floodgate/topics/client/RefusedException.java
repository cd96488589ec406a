package io.floodgate.topics.client;

import io.floodgate.topics.command.Refusal;

/** A log's definite no, where a method returns something else than a {@code Reply}. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    public RefusedException(Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }
}
