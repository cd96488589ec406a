package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Beat;
import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.ClockSet;
import io.floodgate.verification.history.Step.Enqueued;
import io.floodgate.verification.history.Step.Fetched;
import io.floodgate.verification.history.Step.Keyed;
import io.floodgate.verification.history.Step.Nacked;
import io.floodgate.verification.history.Step.Offered;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** All that a history knows of one job, to find out what went wrong with it. */
final class Timeline {
    private final History history;
    private final String job;
    private final long zero;

    private Timeline(History history, String job) {
        this.history = history;
        this.job = job;
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
                .filter(this::concerns)
                .sorted(Comparator.comparingLong(step -> step.span().begun()))
                .forEach(step -> lines.add(line(step)));
        history.events().stream()
                .filter(event -> event.job().equals(job))
                .forEach(event -> lines.add("event %s: %s, now %s in %s%s"
                        .formatted(
                                event.id(),
                                event.type(),
                                event.state(),
                                event.queue(),
                                event.lease() == null ? "" : ", lease " + event.lease())));
        FinalState end = history.finals().get(job);
        if (end != null) lines.add("in the end: " + end.state());
        return lines;
    }

    private boolean concerns(Step step) {
        return switch (step) {
            case Enqueued s -> job.equals(s.id()) || job.equals(s.token());
            case Keyed s -> job.equals(s.id()) || job.equals(s.duplicate()) || job.equals(s.replaced());
            case Offered s -> s.jobs().stream().anyMatch(offered -> offered.id().equals(job));
            case Fetched s -> s.jobs().stream().anyMatch(handed -> handed.id().equals(job));
            case Acked s -> s.id().equals(job);
            case Nacked s -> s.id().equals(job);
            case Cancelled s -> s.id().equals(job);
            case Beat s -> s.extended().contains(job);
            case ClockSet s -> s.by().isPositive();
        };
    }

    private String line(Step step) {
        return String.format(
                Locale.ROOT,
                "%10.3f s to %10.3f s  %s",
                seconds(step.span().begun()),
                seconds(step.span().ended()),
                what(step));
    }

    private String what(Step step) {
        return switch (step) {
            case Enqueued s ->
                "enqueued as %s%s: %s".formatted(s.token(), s.batch() == null ? "" : " in " + s.batch(), s.answer());
            case Keyed s ->
                "job %s with key %s%s: %s, duplicate %s, replaced %s"
                        .formatted(
                                s.id(),
                                s.key(),
                                s.replaces() ? ", in place of another one" : "",
                                s.answer(),
                                s.duplicate(),
                                s.replaced());
            case Offered s ->
                "offered to %s at %s, for %d ms: %s%s"
                        .formatted(
                                s.queues(),
                                s.at(),
                                s.patience().toMillis(),
                                s.answer(),
                                s.full() == null ? "" : " by " + s.full());
            case Fetched s -> "handed to %s for %s: lease %s".formatted(s.worker(), s.visibility(), leases(s));
            case Acked s -> "acked by %s, lease %d: %s".formatted(s.worker(), s.lease(), s.answer());
            case Nacked s -> "nacked by %s, lease %d: %s".formatted(s.worker(), s.lease(), s.answer());
            case Cancelled s -> "cancelled: " + s.answer();
            case Beat s -> "prolonged by %s".formatted(s.worker());
            case ClockSet s -> "the clock of %s was set by %+,d s".formatted(s.process(), s.by().toSeconds());
        };
    }

    private List<Long> leases(Fetched fetch) {
        return fetch.jobs().stream()
                .filter(handed -> handed.id().equals(job))
                .map(Step.Handed::lease)
                .toList();
    }

    private double seconds(long nanos) {
        return (nanos - zero) / 1e9;
    }
}
