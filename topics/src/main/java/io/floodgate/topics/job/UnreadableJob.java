package io.floodgate.topics.job;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;

/** Thrown while reading a job that is no valid OJS envelope; carries the refusal its sender gets. */
public final class UnreadableJob extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    public UnreadableJob(Refusal refusal) {
        super(refusal.message(), null, false, false);
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }

    static UnreadableJob field(String field, String message) {
        return new UnreadableJob(Refusal.of(ErrorCode.INVALID_REQUEST, message)
                .with("field", field)
                .with("validation", "format"));
    }

    static UnreadableJob required(String field) {
        return new UnreadableJob(Refusal.of(ErrorCode.INVALID_REQUEST, "The '%s' field is required.".formatted(field))
                .with("field", field)
                .with("validation", "required"));
    }

    static UnreadableJob retry(String field, String message) {
        return new UnreadableJob(
                Refusal.of(ErrorCode.INVALID_RETRY_POLICY, message).with("field", field));
    }
}
