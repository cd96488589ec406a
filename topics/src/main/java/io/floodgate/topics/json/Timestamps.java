package io.floodgate.topics.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** RFC 3339 as OJS wants it: UTC with three fraction digits out, any offset and up to nine digits in. */
public final class Timestamps {
    private static final DateTimeFormatter OUT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Timestamps() {}

    public static String format(Instant time) {
        return OUT.format(time);
    }

    public static Optional<Instant> parse(String text) {
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            // Beyond these years a time no longer fits the format we answer in.
            boolean fits = time.getEpochSecond() >= -62135596800L && time.getEpochSecond() < 253402300800L;
            return fits ? Optional.of(time) : Optional.empty();
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }
}
