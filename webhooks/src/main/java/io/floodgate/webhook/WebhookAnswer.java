package io.floodgate.webhook;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of one request to the URL of a webhook. */
public sealed interface WebhookAnswer {
    /**
     * The receiver has answered.
     *
     * @param status of the last answer, after redirects
     * @param took from the call until the answer was read
     * @param excerpt the first bytes of the body, at most 1 KiB
     * @param retryAfter what the receiver asks for, at most 24 hours
     */
    record Answered(
            int status,
            Duration took,
            byte[] excerpt,
            @Nullable Duration retryAfter) implements WebhookAnswer {}

    /** The URL, or one that it redirects to, may not be called, for this reason; nothing was sent there. */
    record Refused(String reason) implements WebhookAnswer {}

    /** No answer came, or none that could be read. The message has no part of the URL but host and port. */
    record Failed(Kind kind, String message) implements WebhookAnswer {}

    /** Why there is no answer. */
    enum Kind {
        /** It did not come whole in time. */
        TIMEOUT,
        /** There is no connection, or it ended too early. */
        CONNECTION,
        /** No secure connection: its certificate is not trusted, or is not of this host. */
        TLS,
        /** The host has no address. */
        DNS,
        /** The answer is not HTTP, or larger than allowed. */
        PROTOCOL,
        /** There are too many redirects, or one that leads nowhere. */
        REDIRECTS
    }
}
