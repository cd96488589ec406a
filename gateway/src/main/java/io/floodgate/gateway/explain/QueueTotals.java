package io.floodgate.gateway.explain;

import io.floodgate.gateway.queue.QueueRow;
import io.floodgate.gateway.queue.QueueRow.Sign;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What an overview says of all queues together, and which of them it names. There may be 100,000: each is looked at once. */
final class QueueTotals {
    private static final List<String> STATES = List.of("available", "active", "scheduled", "retryable", "pending");
    private static final Sign[] SIGNS = Sign.values();

    private final Highest fullest = new Highest("fullest");
    private final Highest oldest = new Highest("oldest");
    private final Highest failing = new Highest("failing");
    private final Highest busiest = new Highest("busiest");
    private final List<QueueRow> suspects = new ArrayList<>();
    private final long[] jobs = new long[STATES.size()];
    private final long[] signs = new long[SIGNS.length];
    private long queues;
    private long dead;
    private long completed;
    private long failed;
    private double fills;
    private double drains;

    private QueueTotals() {}

    static QueueTotals of(Collection<QueueRow> rows, Instant now) {
        QueueTotals totals = new QueueTotals();
        long millis = now.toEpochMilli();
        for (QueueRow row : rows) totals.add(row, millis);
        totals.suspects.sort(
                Comparator.comparingDouble((QueueRow row) -> -row.pressure()).thenComparingLong(row -> -row.depth()));
        return totals;
    }

    /** Of the suspects of each sign the first, then the second, and so on: many of one sign do not hide those of another. */
    static List<QueueRow> inTurns(List<QueueRow> suspects, Instant now) {
        Map<Sign, Deque<QueueRow>> bySign = new EnumMap<>(Sign.class);
        for (QueueRow row : suspects)
            bySign.computeIfAbsent(worst(row, now), sign -> new ArrayDeque<>()).add(row);
        List<QueueRow> inTurns = new ArrayList<>();
        while (inTurns.size() < suspects.size())
            for (Deque<QueueRow> each : bySign.values()) if (!each.isEmpty()) inTurns.add(each.remove());
        return inTurns;
    }

    static Sign worst(QueueRow row, Instant now) {
        return Sign.worst(row.signBits(now.toEpochMilli()));
    }

    private void add(QueueRow row, long now) {
        queues++;
        int bits = row.signBits(now);
        if (Sign.isSuspect(bits)) suspects.add(row);
        for (int left = bits; left != 0; left &= left - 1) signs[Integer.numberOfTrailingZeros(left)]++;
        for (int i = 0; i < jobs.length; i++) jobs[i] += row.jobs(STATES.get(i));
        dead += row.jobs("dead");
        completed += row.completedLastHour();
        failed += row.failedLastHour();
        fills += row.fills(now);
        drains += row.drains(now);
        fullest.offer(row, row.pressure());
        oldest.offer(row, row.oldestAge(now));
        failing.offer(row, row.failedShare());
        busiest.offer(row, row.drains(now));
    }

    /** What may have a problem, the most important first. */
    List<QueueRow> suspects() {
        return suspects;
    }

    void write(Instant now, JsonOut out) {
        out.beginObject("jobs");
        for (int i = 0; i < jobs.length; i++) out.field(STATES.get(i), jobs[i]);
        out.field("dead", dead)
                .field("completed_last_hour", completed)
                .field("failed_last_hour", failed)
                .field("fills_per_second", rounded(fills))
                .field("drains_per_second", rounded(drains))
                .endObject()
                .beginObject("queues")
                .field("total", queues);
        for (Sign sign : SIGNS) out.field(sign.wire(), signs[Integer.numberOfTrailingZeros(sign.bit())]);
        out.endObject().beginObject("top");
        for (Highest list : List.of(fullest, oldest, failing, busiest)) list.write(now, out);
        out.endObject();
    }

    private static double rounded(double rate) {
        return Math.round(100 * rate) / 100.0;
    }

    /** The ten queues with the highest figures above 0; of equal ones, the first by name. */
    private static final class Highest {
        private static final int MOST = 10;
        private static final Comparator<Ranked> HIGHEST_FIRST =
                Comparator.comparingDouble(Ranked::figure).reversed().thenComparing(ranked -> ranked.row.name());

        private record Ranked(QueueRow row, double figure) {}

        private final String name;
        private final List<Ranked> first = new ArrayList<>();

        Highest(String name) {
            this.name = name;
        }

        /** Rows come in the order of their names: an equal figure is no higher. */
        void offer(QueueRow row, double figure) {
            if (figure <= 0 || (first.size() == MOST && figure <= first.getLast().figure)) return;
            Ranked ranked = new Ranked(row, figure);
            first.add(-Collections.binarySearch(first, ranked, HIGHEST_FIRST) - 1, ranked);
            if (first.size() > MOST) first.removeLast();
        }

        void write(Instant now, JsonOut out) {
            out.beginArray(name);
            for (Ranked ranked : first) ranked.row.write(now, out);
            out.endArray();
        }
    }
}
