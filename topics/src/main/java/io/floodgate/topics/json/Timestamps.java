package io.floodgate.topics.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** RFC 3339 as OJS wants it: UTC with three fraction digits out, any offset and up to nine digits in. */
public final class Timestamps {
    private static final String PATTERN = "0000-00-00T00:00:00.000Z";

    private Timestamps() {}

    /** By hand: a job is shown with several times, and the general formatter takes a microsecond for each. */
    public static String format(Instant time) {
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), time.getNano(), ZoneOffset.UTC);
        char[] text = PATTERN.toCharArray();
        digits(text, 0, 4, utc.getYear());
        digits(text, 5, 2, utc.getMonthValue());
        digits(text, 8, 2, utc.getDayOfMonth());
        digits(text, 11, 2, utc.getHour());
        digits(text, 14, 2, utc.getMinute());
        digits(text, 17, 2, utc.getSecond());
        digits(text, 20, 3, utc.getNano() / 1_000_000);
        return new String(text);
    }

    private static void digits(char[] text, int at, int count, int number) {
        int rest = number;
        for (int i = at + count - 1; i >= at; i--) {
            text[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** Times as we write them are read by hand as well. */
    public static Optional<Instant> parse(String text) {
        try {
            if (isOurs(text)) return Optional.of(ours(text));
            Instant time = OffsetDateTime.parse(text).toInstant();
            // Beyond these years a time no longer fits the format we answer in.
            boolean fits = time.getEpochSecond() >= -62135596800L && time.getEpochSecond() < 253402300800L;
            return fits ? Optional.of(time) : Optional.empty();
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    private static boolean isOurs(String text) {
        if (text.length() != PATTERN.length()) return false;
        for (int i = 0; i < text.length(); i++) {
            char expected = PATTERN.charAt(i);
            char there = text.charAt(i);
            if (expected == '0' ? there < '0' || there > '9' : there != expected) return false;
        }
        return !text.startsWith("0000");
    }

    private static Instant ours(String text) {
        return LocalDateTime.of(
                        number(text, 0, 4),
                        number(text, 5, 2),
                        number(text, 8, 2),
                        number(text, 11, 2),
                        number(text, 14, 2),
                        number(text, 17, 2),
                        number(text, 20, 3) * 1_000_000)
                .toInstant(ZoneOffset.UTC);
    }

    private static int number(String text, int at, int count) {
        int number = 0;
        for (int i = at; i < at + count; i++) number = 10 * number + text.charAt(i) - '0';
        return number;
    }
}
