package io.floodgate.webhook;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.apache.hc.client5.http.utils.DateUtils;
import org.jspecify.annotations.Nullable;

/** Reads {@code Retry-After}: seconds, or a date of HTTP. */
final class RetryAfter {
    private static final Duration MAX = Duration.ofHours(24);

    private RetryAfter() {}

    /** Returns null if there is no value, or none that can be read. */
    static @Nullable Duration read(@Nullable String value, Clock clock) {
        if (value == null) return null;
        String text = value.strip();
        if (text.matches("[0-9]+")) return text.length() > 9 ? MAX : capped(Duration.ofSeconds(Integer.parseInt(text)));
        Instant until = DateUtils.parseStandardDate(text);
        return until == null ? null : capped(Duration.between(clock.instant(), until));
    }

    private static Duration capped(Duration wait) {
        if (wait.isNegative()) return Duration.ZERO;
        return wait.compareTo(MAX) > 0 ? MAX : wait;
    }
}
