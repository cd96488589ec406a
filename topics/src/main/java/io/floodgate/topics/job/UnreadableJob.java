package io.floodgate.topics.job;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;

/** Thrown while reading a job that is no valid OJS envelope; carries the rejection its sender gets. */
public final class UnreadableJob extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Rejection rejection;

    public UnreadableJob(Rejection rejection) {
        super(rejection.message(), null, false, false);
        this.rejection = rejection;
    }

    public Rejection rejection() {
        return rejection;
    }

    static UnreadableJob field(String field, String message) {
        return new UnreadableJob(Rejection.of(ErrorCode.INVALID_REQUEST, message)
                .with("field", field)
                .with("validation", "format"));
    }

    static UnreadableJob unknown(String field, String nearest) {
        String message = "There is no field '%s'. Did you mean '%s'?".formatted(field, nearest);
        return new UnreadableJob(Rejection.of(ErrorCode.INVALID_REQUEST, message)
                .with("field", field)
                .with("reason", "unknown_field")
                .with("nearest", nearest));
    }

    static UnreadableJob required(String field) {
        return new UnreadableJob(Rejection.of(ErrorCode.INVALID_REQUEST, "The '%s' field is required.".formatted(field))
                .with("field", field)
                .with("validation", "required"));
    }

    static UnreadableJob retry(String field, String message) {
        return new UnreadableJob(
                Rejection.of(ErrorCode.INVALID_RETRY_POLICY, message).with("field", field));
    }
}
