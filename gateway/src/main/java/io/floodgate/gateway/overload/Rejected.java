package io.floodgate.gateway.overload;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Json;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The answers to requests that are rejected for want of room. */
final class Rejected {
    /** The name of the detail that says how long to wait. */
    static final String RETRY_AFTER = "retry_after_seconds";

    private Rejected() {}

    static Rejection full(String cause, String words, double saturation, Level level, long seconds) {
        String message = String.format(
                Locale.ROOT,
                "The server is too busy for this: %s at %.0f%% of what is sound. Nothing was done.",
                words,
                100 * saturation);
        return of(cause, message, seconds).with("level", level.label());
    }

    static Rejection sentAway(String part, long seconds) {
        return of(
                "line",
                "Too many requests with new jobs wait for the same partition, among them this one for %s, or it has waited for as long as it may. Nothing was done."
                        .formatted(part),
                seconds);
    }

    /** Returns the cause of an answer with 503; nothing if it is about no rejection. */
    static Optional<String> cause(byte[] body) {
        JsonNode details = Json.tree(body).at("/error/details");
        return details.path("outcome").asString("").equals("not_executed")
                ? Optional.of(details.path("cause").asString("other"))
                : Optional.empty();
    }

    private static Rejection of(String cause, String message, long seconds) {
        return Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, message)
                .with("outcome", "not_executed")
                .with("cause", cause)
                .with(RETRY_AFTER, seconds);
    }
}
