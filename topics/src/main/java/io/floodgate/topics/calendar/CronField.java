package io.floodgate.topics.calendar;

import java.util.Locale;

/** One field of an expression: which values it has, and how its words are read. */
enum CronField {
    SECOND("seconds", 0, 59, ""),
    MINUTE("minutes", 0, 59, ""),
    HOUR("hours", 0, 23, ""),
    DAY_OF_MONTH("days of the month", 1, 31, ""),
    MONTH("months", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
    /** Sunday is 0, and 7. */
    DAY_OF_WEEK("days of the week", 0, 7, "SUN MON TUE WED THU FRI SAT");

    private final String title;
    private final int min;
    private final int max;
    /** Names of three letters each. */
    private final String names;

    CronField(String title, int min, int max, String names) {
        this.title = title;
        this.min = min;
        this.max = max;
        this.names = names;
    }

    /** Returns, as bits, all that an item without special letters stands for. */
    long read(String item) throws UnreadableExpression {
        int slash = item.indexOf('/');
        String range = slash < 0 ? item : item.substring(0, slash);
        int step = slash < 0 ? 1 : step(item.substring(slash + 1), item);
        if (range.equals("*") || (isOfDays() && range.equals("?"))) return bits(min, last(), step);
        int dash = range.indexOf('-');
        int from = value(dash < 0 ? range : range.substring(0, dash), item);
        if (dash < 0) return bits(from, slash < 0 ? from : Math.max(last(), from), step);
        int to = value(range.substring(dash + 1), item);
        if (this == DAY_OF_WEEK && to == 0 && from > 0) to = 7;
        if (to < from) throw wrong(item, "the range runs backwards");
        return bits(from, to, step);
    }

    private int last() {
        return this == DAY_OF_WEEK ? 6 : max;
    }

    boolean isOfDays() {
        return this == DAY_OF_MONTH || this == DAY_OF_WEEK;
    }

    private long bits(int from, int to, int step) {
        long bits = 0;
        for (int value = from; value <= to; value += step) bits |= 1L << (this == DAY_OF_WEEK ? value % 7 : value);
        return bits;
    }

    private int step(String text, String item) throws UnreadableExpression {
        int step = number(text, item);
        if (step == 0) throw wrong(item, "a step of 0 never gets anywhere");
        return step;
    }

    /** A number, or a name that stands for one. */
    int value(String text, String item) throws UnreadableExpression {
        int named = text.length() == 3 ? names.indexOf(text.toUpperCase(Locale.ROOT)) : -1;
        if (named >= 0 && named % 4 == 0) return named / 4 + min;
        int value = number(text, item);
        if (value < min || value > max) throw wrong(item, "%s go from %d to %d".formatted(title, min, max));
        return value;
    }

    private int number(String text, String item) throws UnreadableExpression {
        boolean isNumber = !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!isNumber) throw wrong(item, text.isEmpty() ? "a value is missing" : "'%s' is no value".formatted(text));
        return Integer.parseInt(text);
    }

    UnreadableExpression wrong(String item, String why) {
        return UnreadableExpression.of("'%s' among the %s: %s.".formatted(item, title, why));
    }
}
