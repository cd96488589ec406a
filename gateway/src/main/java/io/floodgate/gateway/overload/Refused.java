package io.floodgate.gateway.overload;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import java.util.Locale;

/** What whoever is refused for want of room is told. */
final class Refused {
    /** The name of the detail that says how long to wait. */
    static final String RETRY_AFTER = "retry_after_seconds";

    private Refused() {}

    static Refusal full(String cause, String words, double saturation, Level level, long seconds) {
        String message = String.format(
                Locale.ROOT,
                "The server is too busy for this: %s at %.0f%% of what is sound. Nothing was done.",
                words,
                100 * saturation);
        return of(cause, message, seconds).with("level", level.label());
    }

    static Refusal sentAway(String part, long seconds) {
        return of(
                "line",
                "Too many requests with new jobs wait for the same log, among them this one for %s, or it has waited for as long as it may. Nothing was done."
                        .formatted(part),
                seconds);
    }

    private static Refusal of(String cause, String message, long seconds) {
        return Refusal.of(ErrorCode.BACKEND_UNAVAILABLE, message)
                .with("outcome", "not_executed")
                .with("cause", cause)
                .with(RETRY_AFTER, seconds);
    }
}
