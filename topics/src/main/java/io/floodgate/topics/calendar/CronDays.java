package io.floodgate.topics.calendar;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The days of an expression: those of the month, and those of the week. */
final class CronDays {
    private final List<Predicate<LocalDate>> ofMonth = new ArrayList<>();
    private final List<Predicate<LocalDate>> ofWeek = new ArrayList<>();
    private final boolean areAll;
    /** Days of the month by their numbers, as bits. */
    private long numbers;

    CronDays(String month, String week) throws UnreadableExpression {
        for (String item : CronExpression.items(month)) ofMonth.add(ofMonth(item.toUpperCase(Locale.ROOT), item));
        for (String item : CronExpression.items(week)) ofWeek.add(ofWeek(item.toUpperCase(Locale.ROOT), item));
        areAll = isOpen(month) || isOpen(week);
    }

    private static boolean isOpen(String field) {
        return field.startsWith("*") || field.startsWith("?");
    }

    /**
     * Returns whether the day is due. If both fields are restricted, either is enough; otherwise both must have the
     * day, one of which is open (POSIX).
     */
    boolean has(LocalDate day) {
        boolean isOfMonth = isOneOf(ofMonth, day);
        return areAll ? isOfMonth && isOneOf(ofWeek, day) : isOfMonth || isOneOf(ofWeek, day);
    }

    private static boolean isOneOf(List<Predicate<LocalDate>> tests, LocalDate day) {
        for (Predicate<LocalDate> test : tests) if (test.test(day)) return true;
        return false;
    }

    /** Returns whether it names a day that months of this length do not have. */
    boolean exceeds(int lengthOfMonth) {
        return numbers >>> (lengthOfMonth + 1) != 0;
    }

    private Predicate<LocalDate> ofMonth(String item, String given) throws UnreadableExpression {
        if (item.equals("L")) return day -> day.getDayOfMonth() == day.lengthOfMonth();
        if (item.equals("LW")) return day -> day.equals(nearestWeekday(day, day.lengthOfMonth()));
        if (item.endsWith("W") && item.length() > 1) {
            int number = CronField.DAY_OF_MONTH.value(item.substring(0, item.length() - 1), given);
            numbers |= 1L << number;
            return day -> number <= day.lengthOfMonth() && day.equals(nearestWeekday(day, number));
        }
        long bits = CronField.DAY_OF_MONTH.read(given);
        if (!isOpen(item)) numbers |= bits;
        return day -> (bits >>> day.getDayOfMonth() & 1) != 0;
    }

    /**
     * Returns the nearest weekday within the same month: the Friday before a Saturday, and the Monday after a Sunday,
     * unless that is in another month.
     */
    private static LocalDate nearestWeekday(LocalDate month, int number) {
        LocalDate day = month.withDayOfMonth(number);
        if (day.getDayOfWeek() == DayOfWeek.SATURDAY) return number == 1 ? day.plusDays(2) : day.minusDays(1);
        if (day.getDayOfWeek() == DayOfWeek.SUNDAY)
            return number == day.lengthOfMonth() ? day.minusDays(2) : day.plusDays(1);
        return day;
    }

    private static Predicate<LocalDate> ofWeek(String item, String given) throws UnreadableExpression {
        CronField field = CronField.DAY_OF_WEEK;
        if (item.equals("L")) throw field.wrong(given, "say which day, as in 5L for the last Friday");
        int hash = item.indexOf('#');
        if (hash >= 0) {
            int day = field.value(item.substring(0, hash), given) % 7;
            String nth = item.substring(hash + 1);
            boolean isNth = nth.length() == 1 && nth.charAt(0) >= '1' && nth.charAt(0) <= '5';
            if (!isNth) throw field.wrong(given, "a month has the first to the fifth of a day, 1 to 5");
            int week = nth.charAt(0) - '1';
            return date -> number(date) == day && (date.getDayOfMonth() - 1) / 7 == week;
        }
        boolean isLast = item.endsWith("L") && item.length() > 1;
        if (isLast) {
            int day = field.value(item.substring(0, item.length() - 1), given) % 7;
            return date -> number(date) == day && date.getDayOfMonth() + 7 > date.lengthOfMonth();
        }
        long bits = field.read(given);
        return date -> (bits >>> number(date) & 1) != 0;
    }

    private static int number(LocalDate date) {
        return date.getDayOfWeek().getValue() % 7;
    }
}
