package io.floodgate.topics.calendar;

import io.floodgate.topics.json.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * When a schedule is due, as its expression and its time zone say.
 *
 * @param expression as it was given, without a time zone
 * @param every between two runs; null if a calendar says when it is due
 * @param calendar null for one of those
 */
public record Timing(
        String expression,
        ZoneId zone,
        @Nullable Duration every,
        @Nullable CronCalendar calendar) {
    private static final String UTC = "UTC";
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final Pattern ZONE = Pattern.compile("(?:CRON_TZ|TZ)=(\\S+)\\s+(.*)", Pattern.DOTALL);
    private static final Pattern EVERY = Pattern.compile("@every\\s+(\\S+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern PARTS =
            Pattern.compile("(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

    /** @param timezone null if only the expression may name one */
    public static Timing parse(String text, @Nullable String timezone) throws UnreadableExpression {
        String expression = text.strip();
        String zone = timezone;
        Matcher prefixed = ZONE.matcher(expression);
        if (prefixed.matches()) {
            if (zone != null && !zone.equals(prefixed.group(1)))
                throw new UnreadableExpression(
                        "timezone",
                        "The expression names the time zone '%s', and 'timezone' names '%s'."
                                .formatted(prefixed.group(1), zone));
            zone = prefixed.group(1);
            expression = prefixed.group(2).strip();
        }
        ZoneId place = CalendarZones.parse(zone == null ? UTC : zone);
        Matcher every = EVERY.matcher(expression);
        if (every.matches()) return new Timing(expression, place, interval(every.group(1)), null);
        if (expression.toLowerCase(Locale.ROOT).startsWith("@every"))
            throw UnreadableExpression.of(
                    "'@every' needs a time, as in '@every 90s', '@every 1h30m' or '@every PT90S'.");
        CronCalendar calendar = new CronCalendar(CronExpression.parse(expression), place);
        if (calendar.next(Instant.parse("2024-01-01T00:00:00Z")) == null)
            throw UnreadableExpression.of(
                    "'%s' names times only that do not exist in %s.".formatted(expression, place.getId()));
        return new Timing(expression, place, null, calendar);
    }

    private static Duration interval(String text) throws UnreadableExpression {
        Duration interval = duration(text)
                .orElseThrow(() -> UnreadableExpression.of(
                        "'%s' is no time: write it as in '90s', '1h30m' or 'PT90S'.".formatted(text)));
        if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0)
            throw UnreadableExpression.of("'@every' takes one second to 365 days, not '%s'.".formatted(text));
        return interval;
    }

    private static Optional<Duration> duration(String text) {
        if (text.startsWith("P")) return Durations.parse(text);
        Matcher parts = PARTS.matcher(text);
        if (text.isEmpty() || !parts.matches()) return Optional.empty();
        return Optional.of(Duration.ofHours(number(parts, 1))
                .plusMinutes(number(parts, 2))
                .plusSeconds(number(parts, 3))
                .plusMillis(number(parts, 4)));
    }

    private static long number(Matcher parts, int group) {
        String digits = parts.group(group);
        return digits == null ? 0 : Long.parseLong(digits);
    }

    /** The runs after a time, up to {@code most}, and the gaps among them. Empty for an interval. */
    public List<CronCalendar.Due> after(Instant from, int most) {
        return calendar == null ? List.of() : calendar.after(from, most);
    }

    /**
     * The next runs, gaps aside.
     *
     * @param anchor from which on an interval counts
     */
    public List<Instant> next(Instant from, Instant anchor, int most) {
        if (every == null)
            return after(from, most).stream()
                    .filter(due -> !due.isGap())
                    .map(CronCalendar.Due::at)
                    .toList();
        long step = every.toMillis();
        long passed = Math.max(0, Math.floorDiv(from.toEpochMilli() - anchor.toEpochMilli(), step));
        return LongStream.rangeClosed(1, most)
                .mapToObj(n -> anchor.plusMillis((passed + n) * step))
                .toList();
    }

    public List<String> warnings(Instant now) {
        if (calendar != null) return calendar.warnings(now);
        return every != null && every.toSeconds() < 10
                ? List.of("It is due more often than every 10 seconds.")
                : List.of();
    }
}
