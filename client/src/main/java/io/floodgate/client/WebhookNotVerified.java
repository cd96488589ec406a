package io.floodgate.client;

/** A request that looks like a delivery of a webhook cannot be shown to be one. */
public final class WebhookNotVerified extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is wrong with the request. */
    public enum Reason {
        /** It has no timestamp, or no signature. */
        MISSING,
        /** Its timestamp is not a number of seconds, or its signature has another form. */
        MALFORMED,
        /** It has none of the signatures that the secrets make of its timestamp and its body. */
        WRONG_SIGNATURE,
        /** It was sent too long ago, or later than now: by a clock that is wrong, or recorded and sent again. */
        WRONG_TIME
    }

    private final Reason reason;

    WebhookNotVerified(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
