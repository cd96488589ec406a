package io.floodgate.gateway.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text with values in it. {@code {name}} is a value as people read it. A format may follow the name:
 *
 * <ul>
 *   <li>{@code {jobs:job}} is "1 job" or "12 jobs", {@code {jobs:job waits/jobs wait}} is "1 job waits" or "12 jobs wait"; a third
 *       form is for 0
 *   <li>{@code {jobs?waits/wait}} is the word without the number, and {@code {flag?}} no text
 *   <li>{@code {since:ago}} and {@code {until:in}} are durations, {@code {share:%}} a share
 *   <li>{@code {rate:/s}} and {@code {rate:jobs/s}} are rates, {@code {size:bytes}} a size, {@code {id:path}} a segment of a path
 * </ul>
 *
 * Of {@code [one|other]} the first alternative is taken whose values are all present, or else the last one; {@code [one]} is left out
 * if a value is absent. A value is absent if it is not known, false, 0 or empty.
 */
final class Template {
    private static final Pattern NAME = Pattern.compile("[\\w.]+");
    private static final String UNKNOWN = "unknown";
    private static final int MAX_LISTED = 5;

    private final String template;
    private final FindingFacts facts;
    private int at;
    private boolean isComplete;

    private Template(String template, FindingFacts facts) {
        this.template = template;
        this.facts = facts;
    }

    static String fill(String template, FindingFacts facts) {
        Template filled = new Template(template, facts);
        return filled.part("");
    }

    static boolean isPresent(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Number number -> number.doubleValue() != 0;
            case Boolean truth -> truth;
            case List<?> list -> !list.isEmpty();
            default -> !value.toString().isEmpty();
        };
    }

    /** The text up to one of these ends; {@code isComplete} says whether all of its values are present. */
    private String part(String ends) {
        StringBuilder out = new StringBuilder();
        boolean areAllPresent = true;
        while (at < template.length() && ends.indexOf(template.charAt(at)) < 0) {
            char c = template.charAt(at++);
            if (c == '[') out.append(alternatives());
            else if (c == '{') areAllPresent &= value(out);
            else out.append(c);
        }
        isComplete = areAllPresent;
        return out.toString();
    }

    private String alternatives() {
        String chosen = null;
        boolean isOnly = true;
        while (true) {
            String one = part("|]");
            boolean isLast = template.charAt(at++) == ']';
            if (chosen == null && (isComplete || (isLast && !isOnly))) chosen = one;
            if (isLast) return chosen == null ? "" : chosen;
            isOnly = false;
        }
    }

    /** Whether the value is present. */
    private boolean value(StringBuilder out) {
        int end = template.indexOf('}', at);
        Matcher name = NAME.matcher(template).region(at, end);
        if (!name.lookingAt()) throw new IllegalArgumentException("a value without a name: " + template);
        at = end + 1;
        Object value = facts.value(name.group());
        String format = template.substring(Math.min(name.end() + 1, end), end);
        if (template.charAt(name.end()) == '?')
            out.append(word(value instanceof Number number ? number.longValue() : 0, format));
        else out.append(value == null ? UNKNOWN : text(value, format));
        return isPresent(value);
    }

    private static String word(long number, String forms) {
        String[] each = forms.split("/", -1);
        if (number == 1 || each.length == 1) return each[0];
        return number == 0 && each.length == 3 ? each[2] : each[1];
    }

    private String text(Object value, String format) {
        return switch (value) {
            case Instant time when format.equals("ago") -> Words.duration(Duration.between(time, facts.now()));
            case Instant time when format.equals("in") -> Words.duration(Duration.between(facts.now(), time));
            case Instant time -> Words.time(time, facts.now());
            case Duration duration -> Words.duration(duration);
            case Number number -> number(number, format);
            case List<?> list ->
                String.join(
                        ", ",
                        list.stream().limit(MAX_LISTED).map(String::valueOf).toList());
            default -> format.equals("path") ? Words.inPath(value.toString()) : value.toString();
        };
    }

    private static String number(Number number, String format) {
        long whole = number.longValue();
        return switch (format) {
            case "" -> Words.number(whole);
            case "%" -> Words.percent(number.doubleValue());
            case "/s" -> Words.rate(number.doubleValue());
            case "jobs/s" -> Words.jobRate(number.doubleValue());
            case "bytes" -> Words.bytes(whole);
            default -> counted(whole, format);
        };
    }

    private static String counted(long number, String forms) {
        if (forms.indexOf('/') < 0) return Words.count(number, forms);
        boolean isNone = number == 0 && forms.indexOf('/') != forms.lastIndexOf('/');
        return isNone ? word(number, forms) : "%s %s".formatted(Words.number(number), word(number, forms));
    }
}
