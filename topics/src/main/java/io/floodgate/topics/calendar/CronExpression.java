package io.floodgate.topics.calendar;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An expression of five or six fields, or an alias of one: which local times it names. */
public final class CronExpression {
    public static final int MOST_CHARS = 256;

    /** A date that does not come within eight years never comes: leap years can be eight years apart. */
    private static final int MOST_DAYS = 8 * 366;

    private final long seconds;
    private final long minutes;
    private final long hours;
    private final long months;
    private final CronDays days;
    private final boolean everyHour;

    private CronExpression(List<String> fields) throws UnreadableExpression {
        seconds = bits(CronField.SECOND, fields.get(0));
        minutes = bits(CronField.MINUTE, fields.get(1));
        hours = bits(CronField.HOUR, fields.get(2));
        days = new CronDays(fields.get(3), fields.get(5));
        months = bits(CronField.MONTH, fields.get(4));
        everyHour = fields.get(2).startsWith("*");
    }

    public static CronExpression parse(String text) throws UnreadableExpression {
        if (text.length() > MOST_CHARS)
            throw UnreadableExpression.of("The expression has more than %d characters.".formatted(MOST_CHARS));
        String plain = text.startsWith("@") ? alias(text) : text;
        List<String> fields = new ArrayList<>(List.of(plain.strip().split("\\s+")));
        if (plain.isBlank()) throw UnreadableExpression.of("The expression is empty.");
        if (fields.size() == 5) fields.addFirst("0");
        if (fields.size() != 6)
            throw UnreadableExpression.of(
                    "An expression has five fields (minute, hour, day of month, month, day of week), or six that begin with the second; this one has %d."
                            .formatted(fields.size()));
        CronExpression expression = new CronExpression(fields);
        if (expression.next(LocalDateTime.of(2024, 1, 1, 0, 0)) == null)
            throw UnreadableExpression.of("'%s' does not come within eight years.".formatted(text));
        return expression;
    }

    private static String alias(String text) throws UnreadableExpression {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "@yearly", "@annually" -> "0 0 1 1 *";
            case "@monthly" -> "0 0 1 * *";
            case "@weekly" -> "0 0 * * 0";
            case "@daily", "@midnight" -> "0 0 * * *";
            case "@hourly" -> "0 * * * *";
            default ->
                throw UnreadableExpression.of(
                        "'%s' is none of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly and @every."
                                .formatted(text));
        };
    }

    private static long bits(CronField field, String text) throws UnreadableExpression {
        long bits = 0;
        for (String item : items(text)) bits |= field.read(item);
        return bits;
    }

    static List<String> items(String text) throws UnreadableExpression {
        List<String> items = List.of(text.split(",", -1));
        if (items.contains("")) throw UnreadableExpression.of("'%s' is a list with an empty item.".formatted(text));
        return items;
    }

    /**
     * Returns whether the hours begin with a star: the expression goes on by elapsed time when the clock is changed.
     */
    boolean isEveryHour() {
        return everyHour;
    }

    /** Returns whether it names a day that not every one of its months has. */
    boolean hasRareDays() {
        for (int month = 1; month <= 12; month++)
            if ((months >>> month & 1) != 0
                    && days.exceeds(YearMonth.of(2023, month).lengthOfMonth())) return true;
        return false;
    }

    /** The first of its times after this one; null if there is none for eight years. */
    @Nullable
    LocalDateTime next(LocalDateTime after) {
        LocalDateTime from = after.withNano(0).plusSeconds(1);
        LocalDate day = from.toLocalDate();
        LocalDate end = day.plusDays(MOST_DAYS);
        LocalTime time = from.toLocalTime();
        while (day.isBefore(end)) {
            boolean isItsMonth = (months >>> day.getMonthValue() & 1) != 0;
            LocalTime found = isItsMonth && days.has(day) ? next(time) : null;
            if (found != null) return day.atTime(found);
            day = isItsMonth ? day.plusDays(1) : day.withDayOfMonth(1).plusMonths(1);
            time = LocalTime.MIDNIGHT;
        }
        return null;
    }

    /** The first time of a day that is not before this one. */
    private @Nullable LocalTime next(LocalTime from) {
        int second = bit(seconds, from.getSecond());
        int minute = bit(minutes, second < 0 ? from.getMinute() + 1 : from.getMinute());
        if (minute != from.getMinute()) second = bit(seconds, 0);
        int hour = bit(hours, minute < 0 ? from.getHour() + 1 : from.getHour());
        if (hour < 0) return null;
        if (hour == from.getHour()) return LocalTime.of(hour, minute, second);
        return LocalTime.of(hour, bit(minutes, 0), bit(seconds, 0));
    }

    /** The first value that is not less than this one; -1 if there is none. */
    private static int bit(long bits, int from) {
        long rest = from > 63 ? 0 : bits >>> from << from;
        return rest == 0 ? -1 : Long.numberOfTrailingZeros(rest);
    }
}
