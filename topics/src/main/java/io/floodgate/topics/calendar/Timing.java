package io.floodgate.topics.calendar;

import io.floodgate.topics.json.Durations;
import java.math.BigDecimal;
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
 * The times of a schedule, by its expression and its time zone.
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
            Pattern.compile("(?:(N)h)?(?:(N)m)?(?:(N)s)?(?:(N)ms)?".replace("N", "\\d{1,9}(?:\\.\\d{1,9})?"));

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
        return Optional.of(Duration.ofMillis(millis(parts, 1, 3_600_000)
                + millis(parts, 2, 60_000)
                + millis(parts, 3, 1_000)
                + millis(parts, 4, 1)));
    }

    private static long millis(Matcher parts, int group, long unit) {
        String number = parts.group(group);
        return number == null
                ? 0
                : new BigDecimal(number).multiply(BigDecimal.valueOf(unit)).longValue();
    }

    /** The shortest time between two of the runs that are planned; null if there are no two. */
    public @Nullable Duration shortest(List<Instant> planned) {
        if (every != null) return every;
        Duration shortest = null;
        for (int i = 1; i < planned.size(); i++) {
            Duration between = Duration.between(planned.get(i - 1), planned.get(i));
            if (shortest == null || between.compareTo(shortest) < 0) shortest = between;
        }
        return shortest;
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
