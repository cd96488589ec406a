package io.floodgate.topics.json;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Durations as clients write them: ISO 8601, {@code "500ms"}, {@code "1h"}, {@code "minute"}. */
public final class Durations {
    /** The longest length accepted; a century is "never" to everyone but an overflow. */
    public static final Duration LONGEST = Duration.ofDays(36_525);

    /** What {@link #positive} takes, for an error. */
    public static final String POSITIVE = "must be seconds, or an ISO 8601 duration such as PT1H, and more than zero";

    private static final Pattern ISO = Pattern.compile(
            "P(?=.)(?:(\\d+)Y)?(?:(\\d+)M)?(?:(\\d+)W)?(?:(\\d+)D)?(?:T(?=.)(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+(?:\\.\\d+)?)S)?)?");
    private static final Pattern SHORT = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|h|d|w)");

    private Durations() {}

    public static Optional<Duration> parse(String text) {
        if (text.length() > 40) return Optional.empty();
        try {
            return parseIso(text).or(() -> parseShort(text)).filter(d -> d.compareTo(LONGEST) <= 0);
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            return Optional.empty();
        }
    }

    /** Reads a length of more than zero: a text, or a number of seconds or milliseconds. */
    public static Optional<Duration> positive(JsonNode node, boolean isMillis) {
        if (node.isString() && !isMillis) return parse(node.stringValue()).filter(Duration::isPositive);
        if (!node.isIntegralNumber() || !node.canConvertToLong()) return Optional.empty();
        long number = node.longValue();
        if (number <= 0 || number > LONGEST.toSeconds()) return Optional.empty();
        return Optional.of(isMillis ? Duration.ofMillis(number) : Duration.ofSeconds(number));
    }

    public static Optional<Duration> parseIso(String text) {
        Matcher m = ISO.matcher(text);
        if (text.length() > 40 || !m.matches() || text.endsWith("T")) return Optional.empty();
        try {
            Duration days = Duration.ofDays(Math.addExact(
                    Math.addExact(Math.multiplyExact(number(m, 1), 365), Math.multiplyExact(number(m, 2), 30)),
                    Math.addExact(Math.multiplyExact(number(m, 3), 7), number(m, 4))));
            Duration time = days.plusHours(number(m, 5)).plusMinutes(number(m, 6));
            return Optional.of(m.group(7) == null ? time : time.plus(seconds(m.group(7))))
                    .filter(d -> d.compareTo(LONGEST) <= 0);
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> parseShort(String text) {
        switch (text.toLowerCase(Locale.ROOT)) {
            case "second" -> {
                return Optional.of(Duration.ofSeconds(1));
            }
            case "minute" -> {
                return Optional.of(Duration.ofMinutes(1));
            }
            case "hour" -> {
                return Optional.of(Duration.ofHours(1));
            }
            case "day" -> {
                return Optional.of(Duration.ofDays(1));
            }
            default -> {}
        }
        Matcher m = SHORT.matcher(text);
        if (!m.matches()) return Optional.empty();
        BigDecimal unit = BigDecimal.valueOf(
                switch (m.group(2)) {
                    case "ms" -> 1L;
                    case "s" -> 1_000L;
                    case "m" -> 60_000L;
                    case "h" -> 3_600_000L;
                    case "d" -> 86_400_000L;
                    default -> 604_800_000L;
                });
        return Optional.of(Duration.ofMillis(
                new BigDecimal(m.group(1)).multiply(unit).toBigInteger().longValueExact()));
    }

    /** ISO 8601 in the largest whole unit, as OJS examples write it: PT1S, PT5M, P7D, PT0.5S. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis > 0 && millis % 86_400_000L == 0) return "P" + millis / 86_400_000L + "D";
        return duration.truncatedTo(java.time.temporal.ChronoUnit.MILLIS).toString();
    }

    private static long number(Matcher m, int group) {
        return m.group(group) == null ? 0 : Long.parseLong(m.group(group));
    }

    private static Duration seconds(String decimal) {
        return Duration.ofNanos(
                new BigDecimal(decimal).movePointRight(9).toBigInteger().longValueExact());
    }
}
