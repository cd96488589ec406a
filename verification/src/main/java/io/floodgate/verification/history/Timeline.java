package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.ClockSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** All that a history knows of one job, to find out what went wrong with it. */
final class Timeline {
    private static final Pattern SPAN = Pattern.compile("span=[^\\]]*\\], ");

    private final History history;
    private final String job;
    /** The id, and not the beginning of a longer one. */
    private final Pattern named;

    private final long zero;

    private Timeline(History history, String job) {
        this.history = history;
        this.job = job;
        named = Pattern.compile(Pattern.quote(job) + "\\b");
        zero = history.steps().stream()
                .mapToLong(step -> step.span().begun())
                .min()
                .orElse(0);
    }

    /** What callers did, in the order in which they began; then the events; then the end. */
    static List<String> of(String job, History history) {
        return new Timeline(history, job).lines();
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        history.steps().stream()
                .filter(step -> step instanceof ClockSet
                        || named.matcher(step.toString()).find())
                .sorted(Comparator.comparingLong(step -> step.span().begun()))
                .forEach(step -> lines.add(line(step)));
        history.events().stream()
                .filter(event -> event.job().equals(job))
                .forEach(event -> lines.add(event.toString()));
        FinalState end = history.finals().get(job);
        if (end != null) lines.add("in the end: " + end.state());
        return lines;
    }

    private String line(Step step) {
        return String.format(
                Locale.ROOT,
                "%10.3f s to %10.3f s  %s",
                seconds(step.span().begun()),
                seconds(step.span().ended()),
                SPAN.matcher(step.toString()).replaceFirst(""));
    }

    private double seconds(long nanos) {
        return (nanos - zero) / 1e9;
    }
}
