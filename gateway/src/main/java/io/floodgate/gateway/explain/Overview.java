package io.floodgate.gateway.explain;

import io.floodgate.gateway.admin.Shared;
import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.queue.QueueRow;
import io.floodgate.gateway.queue.QueueRows;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /ojs/v1/admin/overview}: what is wrong, worst first, and how much there is of everything. It is made when it is asked
 * for, once in two seconds for all who ask.
 */
public final class Overview {
    static final int MAX_PROBLEMS = 50;
    private final QueueRows rows;
    private final QueueProblems queues;
    private final ServerProblems server;
    private final PlannedProblems planned;
    private final Clock clock;
    private final Shared<byte[]> shared;

    /** @param nanos a clock like {@code System.nanoTime()} */
    public Overview(
            QueueRows rows,
            ExplainOperations explain,
            ServerProblems server,
            PlannedProblems planned,
            Clock clock,
            LongSupplier nanos) {
        this.rows = rows;
        queues = new QueueProblems(explain, clock, nanos);
        this.server = server;
        this.planned = planned;
        this.clock = clock;
        shared = new Shared<>(nanos);
    }

    /** Those who may see some queues only get a view of their own, without the server. */
    public ApiResponse show(Call call) throws CommandFailed, RejectedException {
        boolean confined =
                call.caller().identity() != null && call.caller().identity().isConfined();
        if (!confined) return ApiResponse.ok(new JsonOut().raw(shared.get(() -> make(call))));
        List<QueueRow> own = rows.all().stream()
                .filter(row -> call.caller().mayUse(row.name()))
                .toList();
        Instant now = clock.instant();
        QueueTotals totals = QueueTotals.of(own, now);
        return ApiResponse.ok(write(now, totals, queues.ofConfined(totals.suspects()), null));
    }

    private byte[] make(Call call) {
        Instant now = clock.instant();
        ServerProblems.Found found = server.find(call);
        QueueTotals totals = QueueTotals.of(rows.all(), now);
        Problems problems = queues.find(totals.suspects())
                .and(new Problems(found.problems(), 0, Map.of()))
                .and(planned.find(found.partitions()));
        return write(now, totals, problems, found).toBytes();
    }

    private static JsonOut write(
            Instant now, QueueTotals totals, Problems problems, ServerProblems.@Nullable Found found) {
        JsonOut out = JsonOut.object(16_384).field("as_of", now);
        List<ProblemGroup> groups = problems.groups();
        verdict(groups, problems.unexplained(), out);
        out.beginArray("problems");
        groups.stream().limit(MAX_PROBLEMS).forEach(group -> group.write(out));
        out.endArray()
                .field("more_problems", Math.max(0, groups.size() - MAX_PROBLEMS))
                .field("unexplained", problems.unexplained())
                .field("ungrouped", problems.ungrouped());
        totals.write(now, out);
        if (found != null) found.write(out);
        return out.endObject();
    }

    private static void verdict(List<ProblemGroup> sorted, long unexplained, JsonOut out) {
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
        out.beginObject("verdict")
                .field("severity", severity.wire())
                .field("title", title)
                .field("problems", worst)
                .field("warnings", warnings)
                .endObject();
    }

    private static long count(List<ProblemGroup> groups, Severity severity) {
        return groups.stream().filter(group -> group.severity() == severity).count();
    }
}
