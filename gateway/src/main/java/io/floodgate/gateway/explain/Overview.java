package io.floodgate.gateway.explain;

import io.floodgate.gateway.admin.Shared;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.queue.QueueRow;
import io.floodgate.gateway.queue.QueueRow.Sign;
import io.floodgate.gateway.queue.QueueRows;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /ojs/v1/admin/overview}: what is wrong, worst first, and how much there is of everything. It is made when it is asked
 * for, once in two seconds for all who ask.
 */
public final class Overview {
    static final int MAX_PROBLEMS = 50;
    private static final int TOP = 10;
    private static final List<String> STATES = List.of("available", "active", "scheduled", "retryable", "pending");

    private static final Comparator<Problem> WORST_FIRST = Comparator.comparing(Problem::severity)
            .reversed()
            .thenComparing(Comparator.comparingLong(Problem::jobs).reversed())
            .thenComparing(Problem::name);

    private final QueueRows rows;
    private final QueueProblems queues;
    private final ServerProblems server;
    private final Clock clock;
    private final Shared<byte[]> shared;

    /** @param nanos a clock like {@code System.nanoTime()} */
    public Overview(QueueRows rows, ExplainOperations explain, ServerProblems server, Clock clock, LongSupplier nanos) {
        this.rows = rows;
        queues = new QueueProblems(explain, nanos);
        this.server = server;
        this.clock = clock;
        shared = new Shared<>(nanos);
    }

    /** Those who may see some queues only get a view of their own, without the server. */
    public ApiResponse show(Call call) throws CommandFailed, RejectedException {
        boolean confined =
                call.caller().identity() != null && call.caller().identity().isConfined();
        if (!confined) return ApiResponse.ok(new JsonOut().raw(shared.get(() -> make(call, rows.all()))));
        List<QueueRow> own = rows.all().stream()
                .filter(row -> call.caller().mayUse(row.name()))
                .toList();
        Instant now = clock.instant();
        return ApiResponse.ok(write(now, own, queues.ofConfined(suspects(own, now)), null));
    }

    private byte[] make(Call call, Collection<QueueRow> all) {
        Instant now = clock.instant();
        ServerProblems.Found found = server.find(call);
        Problems problems = queues.find(suspects(all, now)).and(found.problems());
        return write(now, all, problems, found).toBytes();
    }

    private static List<QueueRow> suspects(Collection<QueueRow> all, Instant now) {
        return all.stream()
                .filter(row -> row.signs(now).stream().anyMatch(Sign::isSuspect))
                .map(row -> new Ranked(row, row.pressure()))
                .sorted(Comparator.comparingDouble((Ranked ranked) -> -ranked.figure)
                        .thenComparingLong(ranked -> -ranked.row.depth()))
                .map(Ranked::row)
                .toList();
    }

    private static JsonOut write(
            Instant now, Collection<QueueRow> all, Problems problems, ServerProblems.@Nullable Found found) {
        JsonOut out = new JsonOut(16_384).beginObject().field("as_of", now);
        List<Problem> sorted = problems.all().stream().sorted(WORST_FIRST).toList();
        verdict(sorted, problems.unexplained(), out);
        out.name("problems").beginArray();
        sorted.stream().limit(MAX_PROBLEMS).forEach(problem -> problem.write(out));
        out.endArray()
                .field("more_problems", Math.max(0, sorted.size() - MAX_PROBLEMS))
                .field("unexplained", problems.unexplained());
        figures(now, all, out);
        top(now, all, out.name("top"));
        if (found != null) found.write(out);
        return out.endObject();
    }

    private static void verdict(List<Problem> sorted, int unexplained, JsonOut out) {
        long worst = count(sorted, Severity.PROBLEM);
        long warnings = count(sorted, Severity.WARNING);
        Severity severity = worst > 0 ? Severity.PROBLEM : warnings > 0 ? Severity.WARNING : Severity.OK;
        String title = severity == Severity.OK
                ? unexplained > 0 ? "%s not looked at yet".formatted(Words.count(unexplained, "queue")) : "All is well"
                : worst == 0
                        ? Words.count(warnings, "warning")
                        : warnings == 0
                                ? Words.count(worst, "problem")
                                : Words.count(worst, "problem") + ", " + Words.count(warnings, "warning");
        out.name("verdict")
                .beginObject()
                .field("severity", severity.wire())
                .field("title", title)
                .field("problems", worst)
                .field("warnings", warnings)
                .endObject();
    }

    private static long count(List<Problem> problems, Severity severity) {
        return problems.stream()
                .filter(problem -> problem.severity() == severity)
                .count();
    }

    private static void figures(Instant now, Collection<QueueRow> all, JsonOut out) {
        Map<Sign, Long> signs = new EnumMap<>(Sign.class);
        long[] jobs = new long[STATES.size()];
        long dead = 0;
        double fills = 0;
        double drains = 0;
        long completed = 0;
        long failed = 0;
        for (QueueRow row : all) {
            row.signs(now).forEach(sign -> signs.merge(sign, 1L, Long::sum));
            for (int i = 0; i < jobs.length; i++) jobs[i] += row.jobs(STATES.get(i));
            dead += row.jobs("dead");
            fills += row.fills();
            drains += row.drains();
            completed += row.completedLastHour();
            failed += row.failedLastHour();
        }
        out.name("jobs").beginObject();
        for (int i = 0; i < jobs.length; i++) out.field(STATES.get(i), jobs[i]);
        out.field("dead", dead)
                .field("completed_last_hour", completed)
                .field("failed_last_hour", failed)
                .field("fills_per_second", rounded(fills))
                .field("drains_per_second", rounded(drains))
                .endObject()
                .name("queues")
                .beginObject()
                .field("total", all.size());
        for (Sign sign : Sign.values()) out.field(sign.wire(), signs.getOrDefault(sign, 0L));
        out.endObject();
    }

    private static double rounded(double rate) {
        return Math.round(100 * rate) / 100.0;
    }

    private static void top(Instant now, Collection<QueueRow> all, JsonOut out) {
        out.beginObject();
        top("fullest", now, all.stream().filter(row -> row.pressure() > 0), QueueRow::pressure, out);
        top("oldest", now, all.stream().filter(row -> row.oldest() != null), row -> row.oldestAge(now), out);
        top("failing", now, all.stream().filter(row -> row.failedLastHour() > 0), QueueRow::failedShare, out);
        top("busiest", now, all.stream().filter(row -> row.drains() > 0), QueueRow::drains, out);
        out.endObject();
    }

    private static void top(
            String name, Instant now, Stream<QueueRow> rows, ToDoubleFunction<QueueRow> by, JsonOut out) {
        out.name(name).beginArray();
        first(rows, by).forEach(row -> row.write(now, out));
        out.endArray();
    }

    /** Those with the highest figures: of 100,000 queues, all are looked at and few are sorted. */
    static List<QueueRow> first(Stream<QueueRow> rows, ToDoubleFunction<QueueRow> by) {
        List<Ranked> first = new ArrayList<>();
        rows.map(row -> new Ranked(row, by.applyAsDouble(row))).forEach(ranked -> {
            if (first.size() == TOP && Ranked.HIGHEST_FIRST.compare(ranked, first.getLast()) >= 0) return;
            first.add(-Collections.binarySearch(first, ranked, Ranked.HIGHEST_FIRST) - 1, ranked);
            if (first.size() > TOP) first.removeLast();
        });
        return first.stream().map(Ranked::row).toList();
    }

    private record Ranked(QueueRow row, double figure) {
        static final Comparator<Ranked> HIGHEST_FIRST =
                Comparator.comparingDouble(Ranked::figure).reversed().thenComparing(ranked -> ranked.row.name());
    }
}
