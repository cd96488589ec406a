package io.floodgate.gateway.explain;

import io.floodgate.gateway.event.OjsEvent;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.QueueRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Explanations of the queues that look suspicious, a few at a time: partitions have other work. An explanation is kept for some
 * seconds, and asked for again sooner if the queue has changed.
 */
final class QueueProblems {
    static final int MAX_AT_ONCE = 20;

    private static final Duration KEPT = Duration.ofSeconds(10);
    private static final Duration KEPT_IF_CHANGED = Duration.ofSeconds(2);

    private record Known(PublishedStatus of, @Nullable Problem problem, long since) {}

    private final ExplainOperations explain;
    private final LongSupplier nanos;
    private Map<String, Known> known = new HashMap<>();

    QueueProblems(ExplainOperations explain, LongSupplier nanos) {
        this.explain = explain;
        this.nanos = nanos;
    }

    /** @param suspects the most important first */
    synchronized Problems find(List<QueueRow> suspects) {
        Map<String, Known> now = new HashMap<>();
        List<QueueRow> toAsk = new ArrayList<>();
        for (QueueRow suspect : suspects) {
            Known last = known.get(suspect.name());
            if (last != null) now.put(suspect.name(), last);
            if (toAsk.size() < MAX_AT_ONCE && (last == null || isOld(last, suspect))) toAsk.add(suspect);
        }
        now.putAll(ask(toAsk, false));
        known = now;
        return problems(now, suspects.size());
    }

    /** For a caller that must not learn who else waits: nothing is kept of it. */
    Problems ofConfined(List<QueueRow> suspects) {
        List<QueueRow> first = suspects.subList(0, Math.min(MAX_AT_ONCE, suspects.size()));
        return problems(ask(first, true), suspects.size());
    }

    private boolean isOld(Known last, QueueRow suspect) {
        Duration kept = last.of.version() == suspect.status().version() ? KEPT : KEPT_IF_CHANGED;
        return nanos.getAsLong() - last.since >= kept.toNanos();
    }

    private Map<String, Known> ask(List<QueueRow> suspects, boolean confined) {
        List<OjsEvent> events = suspects.isEmpty() ? List.of() : explain.failures();
        Map<QueueRow, Supplier<Explanation>> asked = new LinkedHashMap<>();
        for (QueueRow suspect : suspects) asked.put(suspect, explain.queue(suspect.name(), confined, events));
        long since = nanos.getAsLong();
        Map<String, Known> answers = new HashMap<>();
        asked.forEach((row, answer) -> {
            Problem problem = Problem.of(answer.get(), row.depth());
            answers.put(row.name(), new Known(row.status(), problem.isWorthShowing() ? problem : null, since));
        });
        return answers;
    }

    private static Problems problems(Map<String, Known> known, int suspects) {
        List<Problem> found = new ArrayList<>();
        known.values().forEach(each -> {
            if (each.problem != null) found.add(each.problem);
        });
        return new Problems(found, suspects - known.size());
    }
}
