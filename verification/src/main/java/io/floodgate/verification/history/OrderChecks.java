package io.floodgate.verification.history;

import io.floodgate.verification.history.History.DeliveryRef;
import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Ordered;
import io.floodgate.verification.history.Step.Skipped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must hold for the jobs of each order key, by events and by what clients were answered. */
final class OrderChecks {
    static final Check ONE_AT_A_TIME = new Check(
            "no job starts while another one of its order key has begun and not ended", OrderChecks::oneAtATime);

    static final Check IN_ORDER = new Check(
            "jobs of an order key start in the order in which they came, but for those that an event calls passed",
            OrderChecks::inOrder);

    static final Check PASSED_AS_CONFIGURED = new Check(
            "a job is passed whenever its queue does not wait for it or not any more, or on request, and never else",
            (history, found) -> found.addAll(OrderLines.of(history).wronglyPassed));

    static final Check NONE_STANDS_STILL =
            new Check("when all is quiet every job with an order key has ended", OrderChecks::noneStandsStill);

    /** What clients know of a job. Times are those of {@link Span}. */
    private static final class Seen {
        /** It cannot have come before. */
        long possibleFrom = Long.MAX_VALUE;
        /** It was there by then. */
        long certainFrom = Long.MAX_VALUE;
        /** The fetch that got its first lease; null if no worker had that. */
        @Nullable
        Span first;

        /** A client asked that others go before it. */
        boolean isSkipped;

        final List<Span> fetches = new ArrayList<>();
        /** From the answer of a fetch to the begin of the ack that was accepted for it: all the time it ran. */
        final List<Span> runs = new ArrayList<>();
    }

    private OrderChecks() {}

    private static void oneAtATime(History history, List<Violation> found) {
        found.addAll(OrderLines.of(history).together);
        forEachPair(history, (one, other, line, job) -> {
            for (Span run : one.runs)
                for (Span fetch : other.fetches)
                    if (fetch.begun() > run.begun() && fetch.ended() < run.ended())
                        found.add(new Violation(
                                job, "it was handed out while another job of key %s ran".formatted(line)));
        });
    }

    private static void inOrder(History history, List<Violation> found) {
        found.addAll(OrderLines.of(history).inversions);
        forEachPair(history, (one, other, line, job) -> {
            Span first = one.first;
            if (first == null || one.isSkipped || one.certainFrom > other.possibleFrom) return;
            if (other.fetches.stream().anyMatch(fetch -> fetch.ended() < first.begun()))
                found.add(
                        new Violation(job, "it was handed out before one of key %s that came earlier".formatted(line)));
        });
    }

    private static void noneStandsStill(History history, List<Violation> found) {
        OrderLines.byJob(history).forEach((id, job) -> {
            FinalState end = history.finals().get(id);
            if (end != null && !end.isGone() && !OrderLines.ENDED.contains(end.state()))
                found.add(new Violation(id, "it is %s, and has key %s".formatted(end.state(), job.line())));
        });
    }

    @FunctionalInterface
    private interface Pair {
        /** @param job the id of the other one */
        void look(Seen one, Seen other, String line, String job);
    }

    /** Shows all pairs of jobs of a key, both ways round. */
    private static void forEachPair(History history, Pair pair) {
        seen(history)
                .forEach((line, jobs) -> jobs.forEach((id, one) -> jobs.forEach((otherId, other) -> {
                    if (one != other) pair.look(one, other, line, otherId);
                })));
    }

    /** Returns the jobs by their key. */
    private static Map<String, Map<String, Seen>> seen(History history) {
        Map<String, Map<String, Seen>> byLine = new TreeMap<>();
        Map<String, Seen> byJob = new HashMap<>();
        for (Ordered step : history.all(Ordered.class)) {
            Seen job = byLine.computeIfAbsent(step.line(), line -> new TreeMap<>())
                    .computeIfAbsent(step.id(), id -> new Seen());
            byJob.put(step.id(), job);
            if (step.answer().mayHaveHappened())
                job.possibleFrom = Math.min(job.possibleFrom, step.span().begun());
            if (step.answer() == Answer.OK)
                job.certainFrom = Math.min(job.certainFrom, step.span().ended());
        }
        for (Skipped skip : history.all(Skipped.class)) {
            Seen job = byJob.get(skip.id());
            if (job != null && skip.answer().mayHaveHappened()) job.isSkipped = true;
        }
        Map<String, Span> acks = new HashMap<>();
        for (Acked ack : history.all(Acked.class))
            if (ack.answer() == Answer.OK) acks.put(ack.id() + ack.lease(), ack.span());
        history.deliveryRefs().forEach((id, all) -> {
            Seen job = byJob.get(id);
            if (job == null) return;
            for (DeliveryRef one : all) {
                Span fetch = one.fetch().span();
                Span ack = acks.get(id + one.job().lease());
                job.fetches.add(fetch);
                if (one.job().lease() == 1) job.first = fetch;
                if (ack != null) job.runs.add(between(fetch, ack));
            }
        });
        return byLine;
    }

    /** The time in which the worker had the job for certain. */
    private static Span between(Span fetch, Span ack) {
        long from = fetch.ended();
        long to = ack.begun();
        return new Span(from, to);
    }
}
