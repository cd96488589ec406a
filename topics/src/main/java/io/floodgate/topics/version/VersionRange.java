package io.floodgate.topics.version;

import io.floodgate.topics.json.Excerpt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The versions of a job type that a worker takes (OJS job versioning §8.1), as intervals in order that do not overlap. Equal
 * ranges are equal however they were written.
 *
 * <pre>
 *   "*"              any version                "2.0"            this one
 *   "2", "2.x"       any of major version 2     "&gt;=1.0 &lt;2.0"     both hold; a comma may stand between them
 * </pre>
 *
 * @param any takes every version, and those that are not made of numbers
 */
public record VersionRange(boolean any, List<Interval> intervals) {
    /** Characters of an expression. */
    public static final int MAX_CHARS = 100;

    /** Expressions of which one has to hold. */
    public static final int MAX_EXPRESSIONS = 10;

    static final int MINOR_BITS = 30;

    /**
     * Largest number of a version in a range: one more than a job can have, so that it can be the end of an interval.
     */
    private static final long MAX_NUMBER = 1_000_000_000;

    private static final long NO_END = Long.MAX_VALUE;

    public static final VersionRange ANY = new VersionRange(true, List.of());

    private static final String NUMBER = "([0-9]{1,10})";
    private static final Pattern TERM =
            Pattern.compile("(>=|<)?" + NUMBER + "(?:\\.(?:" + NUMBER + "|x)(?:\\.(?:[0-9]{1,10}|x))?)?");
    private static final Pattern AFTER_OPERATOR = Pattern.compile("(>=|<)\\s+");
    private static final Pattern BETWEEN = Pattern.compile("\\s*,\\s*|\\s+");

    /**
     * An interval from a version on, and before another one.
     *
     * @param from as {@link JobVersion#place} counts
     * @param to exclusive
     */
    public record Interval(long from, long to) {
        private boolean has(long place) {
            return from <= place && place < to;
        }

        public boolean hasEnd() {
            return to != NO_END;
        }

        public long firstMajor() {
            return from >> MINOR_BITS;
        }

        public long firstMinor() {
            return from & minorMask();
        }

        /** Returns the major number of the last version in it. */
        public long lastMajor() {
            return (to - 1) >> MINOR_BITS;
        }

        public long lastMinor() {
            return (to - 1) & minorMask();
        }

        private static long minorMask() {
            return (1L << MINOR_BITS) - 1;
        }

        private String text() {
            if (to == from + 1) return text(from);
            if (!hasEnd()) return ">=" + text(from);
            boolean isMajor = firstMinor() == 0 && to == JobVersion.place(firstMajor() + 1, 0);
            if (isMajor) return firstMajor() + ".x";
            return from == 0 ? "<" + text(to) : ">=%s <%s".formatted(text(from), text(to));
        }

        private static String text(long place) {
            return "%d.%d".formatted(place >> MINOR_BITS, place & minorMask());
        }
    }

    public VersionRange {
        intervals = List.copyOf(intervals);
    }

    /** Reads expressions, of which one has to hold. */
    public static VersionRange parse(List<String> expressions) throws UnreadableRange {
        if (expressions.isEmpty()) throw new UnreadableRange("A list of versions names at least one.");
        if (expressions.size() > MAX_EXPRESSIONS)
            throw new UnreadableRange("A list of versions has at most %d elements.".formatted(MAX_EXPRESSIONS));
        List<Interval> all = new ArrayList<>();
        boolean any = false;
        for (String expression : expressions) {
            VersionRange one = parse(expression);
            any |= one.any;
            all.addAll(one.intervals);
        }
        return any ? ANY : new VersionRange(false, joined(all));
    }

    public static VersionRange parse(String expression) throws UnreadableRange {
        if (expression.length() > MAX_CHARS)
            throw new UnreadableRange("A range of versions has at most %d characters.".formatted(MAX_CHARS));
        String trimmed = expression.strip();
        if (trimmed.equals("*")) return ANY;
        Interval both = new Interval(0, NO_END);
        for (String term : BETWEEN.split(AFTER_OPERATOR.matcher(trimmed).replaceAll("$1"), -1)) {
            Interval one = interval(term, expression);
            both = new Interval(Math.max(both.from, one.from), Math.min(both.to, one.to));
        }
        if (both.from >= both.to)
            throw new UnreadableRange("No version is in the range '%s'.".formatted(Excerpt.of(expression)));
        return new VersionRange(false, List.of(both));
    }

    private static Interval interval(String term, String expression) throws UnreadableRange {
        Matcher parts = TERM.matcher(term);
        if (!parts.matches()) throw unreadable(expression);
        String operator = parts.group(1);
        boolean isWhole = operator == null || !term.contains("x");
        long major = Long.parseLong(parts.group(2));
        String minor = parts.group(3);
        long number = minor == null ? 0 : Long.parseLong(minor);
        if (!isWhole || Math.max(major, number) > MAX_NUMBER) throw unreadable(expression);
        long place = JobVersion.place(major, number);
        if (operator != null) return operator.equals("<") ? new Interval(0, place) : new Interval(place, NO_END);
        return new Interval(place, minor == null ? JobVersion.place(major + 1, 0) : place + 1);
    }

    private static UnreadableRange unreadable(String expression) {
        return new UnreadableRange("'%s' is no range of versions such as \">=1.0 <2.0\", \"2.x\", \"2.1\" or \"*\"."
                .formatted(Excerpt.of(expression)));
    }

    /** Returns the intervals in order; those that overlap become one. */
    private static List<Interval> joined(List<Interval> some) {
        List<Interval> sorted = new ArrayList<>(some);
        sorted.sort(Comparator.comparingLong(Interval::from).thenComparingLong(Interval::to));
        List<Interval> joined = new ArrayList<>();
        for (Interval next : sorted) {
            Interval last = joined.isEmpty() ? null : joined.getLast();
            if (last != null && next.from < last.to)
                joined.set(joined.size() - 1, new Interval(last.from, Math.max(last.to, next.to)));
            else joined.add(next);
        }
        return joined;
    }

    public boolean has(JobVersion version) {
        if (any) return true;
        if (version.isOther()) return false;
        long place = version.place();
        for (Interval interval : intervals) if (interval.has(place)) return true;
        return false;
    }

    /** Expressions that mean the same. */
    public List<String> texts() {
        return any ? List.of("*") : intervals.stream().map(Interval::text).toList();
    }

    @Override
    public String toString() {
        return String.join(" or ", texts());
    }
}
