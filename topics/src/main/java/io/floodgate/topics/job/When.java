package io.floodgate.topics.job;

import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A time as a client names it: absolute, or relative to the partition's receipt of the job. Exactly one is set. */
public record When(@Nullable Instant at, @Nullable Duration after) {
    private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59.999Z");

    public static When at(Instant time) {
        return new When(time, null);
    }

    public static When after(Duration delay) {
        return new When(null, delay);
    }

    /** RFC 3339, {@code +PT2S}, or a bare ISO duration. */
    static Optional<When> parse(String text) {
        if (text.startsWith("+P")) return Durations.parseIso(text.substring(1)).map(When::after);
        if (text.startsWith("P")) return Durations.parseIso(text).map(When::after);
        return Timestamps.parse(text).map(When::at);
    }

    public boolean isRelative() {
        return after != null;
    }

    /** Returns the time to the millisecond, rounded up: no job may start before the time its producer named. */
    public Instant resolve(Instant now) {
        Instant exact = at != null ? at : now.plus(after == null ? Duration.ZERO : after);
        Instant whole = exact.truncatedTo(ChronoUnit.MILLIS);
        Instant rounded = whole.equals(exact) ? whole : whole.plusMillis(1);
        return rounded.isAfter(END_OF_TIME) ? END_OF_TIME : rounded;
    }

    String wire() {
        if (at != null) return at.toString();
        return "+" + (after == null ? Duration.ZERO : after);
    }
}
