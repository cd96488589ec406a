package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Problems.Alike;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.QueueRow;
import io.floodgate.gateway.queue.QueueRow.Sign;
import io.floodgate.topics.event.OjsEvent;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Explanations of the queues that look suspicious, a few at a time: partitions have other work. An explanation is kept for some
 * seconds, and asked for again sooner if the queue has changed. Of more queues than can be asked about in that time, the first of
 * each sign are explained, and the others are counted by their signs.
 */
final class QueueProblems {
    static final int MAX_AT_ONCE = 20;

    /** As many as can be asked about again before what is known of them is old. */
    static final int MAX_EXPLAINED = 3 * MAX_AT_ONCE;

    private static final Duration KEPT = Duration.ofSeconds(10);
    /** If the overview is not asked for in this time, what was known is not true any more. */
    private static final Duration FORGOTTEN = Duration.ofSeconds(30);

    private static final Duration KEPT_IF_CHANGED = Duration.ofSeconds(2);

    /** What queues with a sign most likely have. */
    private static final Map<Sign, QueueCode> CODES = new EnumMap<>(Map.of(
            Sign.DROPPING,
            QueueCode.DROPPING,
            Sign.DEAD_LATELY,
            QueueCode.DEAD_LETTERS,
            Sign.FAILING,
            QueueCode.FAILING,
            Sign.FULL,
            QueueCode.PRODUCERS_FASTER,
            Sign.PAUSED,
            QueueCode.PAUSED,
            Sign.UNFETCHED,
            QueueCode.NOBODY_FETCHES));

    private record Known(PublishedStatus of, List<Problem> problems, long since) {}

    private final ExplainOperations explain;
    private final Clock clock;
    private final LongSupplier nanos;
    private Map<String, Known> known = new HashMap<>();

    QueueProblems(ExplainOperations explain, Clock clock, LongSupplier nanos) {
        this.explain = explain;
        this.clock = clock;
        this.nanos = nanos;
    }

    /** @param suspects the most important first */
    synchronized Problems find(List<QueueRow> suspects) {
        Map<String, Known> now = new HashMap<>();
        List<QueueRow> toAsk = new ArrayList<>();
        List<QueueRow> inTurns = QueueTotals.inTurns(suspects, clock.instant());
        for (QueueRow suspect : inTurns.subList(0, Math.min(MAX_EXPLAINED, inTurns.size()))) {
            Known last = known.get(suspect.name());
            if (last != null && age(last).compareTo(FORGOTTEN) < 0) now.put(suspect.name(), last);
            if (toAsk.size() < MAX_AT_ONCE && (last == null || isOld(last, suspect))) toAsk.add(suspect);
        }
        now.putAll(ask(toAsk, false));
        known = now;
        return problems(now, suspects);
    }

    /** For a caller that must not learn who else waits: nothing is kept of it. */
    Problems ofConfined(List<QueueRow> suspects) {
        List<QueueRow> inTurns = QueueTotals.inTurns(suspects, clock.instant());
        return problems(ask(inTurns.subList(0, Math.min(MAX_AT_ONCE, inTurns.size())), true), suspects);
    }

    private boolean isOld(Known last, QueueRow suspect) {
        Duration kept = last.of.version() == suspect.status().version() ? KEPT : KEPT_IF_CHANGED;
        return age(last).compareTo(kept) >= 0;
    }

    private Duration age(Known last) {
        return Duration.ofNanos(nanos.getAsLong() - last.since);
    }

    private Map<String, Known> ask(List<QueueRow> suspects, boolean confined) {
        List<OjsEvent> events = suspects.isEmpty() ? List.of() : explain.failures();
        Map<QueueRow, Supplier<Explanation>> asked = new LinkedHashMap<>();
        for (QueueRow suspect : suspects) asked.put(suspect, explain.queue(suspect.name(), confined, events));
        long since = nanos.getAsLong();
        Map<String, Known> answers = new HashMap<>();
        asked.forEach((row, answer) -> {
            answers.put(row.name(), new Known(row.status(), Problem.of(answer.get(), row.depth()), since));
        });
        return answers;
    }

    private Problems problems(Map<String, Known> explained, List<QueueRow> suspects) {
        List<Problem> found = new ArrayList<>();
        explained.values().forEach(each -> found.addAll(each.problems));
        Map<Alike, Long> alike = new HashMap<>();
        Instant now = clock.instant();
        for (QueueRow suspect : suspects) {
            QueueCode code = explained.containsKey(suspect.name()) ? null : CODES.get(QueueTotals.worst(suspect, now));
            if (code != null) alike.merge(new Alike("queue", code), 1L, Long::sum);
        }
        return new Problems(found, suspects.size() - explained.size(), alike);
    }

    /** The sign that queues with this finding are listed by. */
    static String sign(QueueCode code) {
        for (Map.Entry<Sign, QueueCode> each : CODES.entrySet())
            if (each.getValue() == code) return each.getKey().wire();
        return "suspect";
    }
}
