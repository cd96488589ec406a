package io.floodgate.topics.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A regular expression of a schema, whose time is linear in the text: it has no look-around and no back-references. What a
 * check spends on all of them together is bounded, too.
 */
final class SchemaPattern implements RegularExpression {
    private static final int MOST_CHARS = 512;
    /** Instructions of the program that an expression becomes; a count repeats what it stands behind. */
    private static final int MOST_INSTRUCTIONS = 1_000;
    /** Characters times instructions, for one check: a tenth of a second or so. */
    private static final long MOST_WORK = 5_000_000;

    private static final ThreadLocal<long[]> LEFT = ThreadLocal.withInitial(() -> new long[1]);

    private final Pattern pattern;

    private SchemaPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /** @throws IllegalArgumentException with the reason, for an expression that is not accepted */
    static SchemaPattern of(String expression) {
        if (expression.length() > MOST_CHARS)
            throw new IllegalArgumentException(
                    "has %d characters; at most %d are accepted".formatted(expression.length(), MOST_CHARS));
        if (instructions(expression) > MOST_INSTRUCTIONS)
            throw new IllegalArgumentException("repeats too much: with its counts written out it has more than %d parts"
                    .formatted(MOST_INSTRUCTIONS));
        try {
            return new SchemaPattern(Pattern.compile(expression));
        } catch (PatternSyntaxException wrong) {
            throw new IllegalArgumentException(
                    "is not accepted (%s near '%s'): expressions run in linear time, without look-around and back-references"
                            .formatted(wrong.getDescription(), wrong.getPattern()),
                    wrong);
        }
    }

    /** Begins a check. */
    static void begin() {
        LEFT.get()[0] = MOST_WORK;
    }

    /** Whether texts were not looked at, since those of this check are too long together: then it says nothing. */
    static boolean isExhausted() {
        return LEFT.get()[0] < 0;
    }

    @Override
    public boolean matches(String text) {
        long[] left = LEFT.get();
        left[0] -= (long) text.length() * pattern.programSize();
        return left[0] >= 0 && pattern.matcher(text).find();
    }

    /** Returns roughly how many parts an expression has when its counts are written out; those of nested counts multiply. */
    private static long instructions(String expression) {
        Deque<Long> outer = new ArrayDeque<>();
        long sum = 0;
        long last = 0;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            switch (c) {
                case '(' -> {
                    outer.push(sum);
                    sum = 0;
                    last = 0;
                }
                case ')' -> {
                    last = sum + 2;
                    sum = last + (outer.isEmpty() ? 0 : outer.pop());
                }
                case '{' -> {
                    int end = expression.indexOf('}', i);
                    long count = end < 0 ? 1 : count(expression.substring(i + 1, end));
                    sum += last * (count - 1);
                    last *= count;
                    if (end > 0 && count > 1) i = end;
                }
                case '[' -> {
                    i = endOfClass(expression, i);
                    last = 1;
                    sum++;
                }
                case '\\' -> {
                    i++;
                    last = 1;
                    sum++;
                }
                default -> {
                    last = c == '*' || c == '+' || c == '?' ? last : 1;
                    sum++;
                }
            }
            if (sum > MOST_INSTRUCTIONS) return sum;
        }
        return sum;
    }

    private static int endOfClass(String expression, int from) {
        int i = from + 1;
        if (i < expression.length() && expression.charAt(i) == '^') i++;
        if (i < expression.length() && expression.charAt(i) == ']') i++;
        while (i < expression.length() && expression.charAt(i) != ']') i += expression.charAt(i) == '\\' ? 2 : 1;
        return i;
    }

    private static long count(String range) {
        long most = 1;
        for (String number : range.split(",", -1))
            if (number.matches("[0-9]{1,9}")) most = Math.max(most, Long.parseLong(number));
        return most;
    }
}
