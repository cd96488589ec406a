package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.QueueOperations;
import io.floodgate.gateway.queue.QueueRow;
import io.floodgate.gateway.queue.QueueRows;
import io.floodgate.gateway.queue.QueueView;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.JobState;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** {@code /ojs/v1/admin/queues}, as far as it looks (OJS admin §6.1, §6.2). */
public record QueueAdministration(
        QueueOperations queues, StatusTable table, QueueRows rows, StatsHistory history, Clock clock) {
    private static final int PAGE = 20;
    private static final int LARGEST_PAGE = 100;

    /** Percentiles of durations cover the runs of this many minutes. */
    private static final int MINUTES = 60;

    /** Lists the queues that the caller may see, as the partitions have last published them. */
    public ApiResponse list(Call call) throws RejectedException {
        if (QueueQuery.isMeant(call)) return filtered(call, QueueQuery.of(call));
        Paging paging = Paging.of(call, PAGE, LARGEST_PAGE);
        JsonOut out = JsonOut.object(8_192).beginArray("items");
        Predicate<String> wanted = call.caller()::mayUse;
        for (PublishedStatus status : table.page(wanted, paging.offset(), paging.limit())) write(status, out);
        paging.write(table.count(status -> wanted.test(status.name())), out.endArray());
        return ApiResponse.ok(out.endObject());
    }

    /** Lists queues for the console: by signs and figures, one row for each queue. */
    private ApiResponse filtered(Call call, QueueQuery query) throws RejectedException {
        Paging paging = Paging.of(call, PAGE, LARGEST_PAGE);
        Instant now = clock.instant();
        List<QueueRow> found = rows.all().stream()
                .filter(row -> call.caller().mayUse(row.name()) && query.lets(row, now))
                .toList();
        JsonOut out = JsonOut.object(8_192).field("as_of", now).beginArray("items");
        QueueQuery.first(found, query.order(now), Math.addExact(paging.offset(), paging.limit())).stream()
                .skip(paging.offset())
                .forEach(row -> row.write(now, out));
        paging.write(found.size(), out.endArray());
        return ApiResponse.ok(out.endObject());
    }

    public ApiResponse one(Call call) throws CommandFailed, RejectedException {
        JsonOut out = new JsonOut(4_096);
        write(queues.known(call), out);
        return ApiResponse.ok(out);
    }

    private void write(PublishedStatus status, JsonOut out) {
        out.beginObject();
        QueueView.administered(status, out);
        out.beginObject("counts");
        for (JobState state : JobState.values()) out.field(state.wire(), status.number(state.wire()));
        out.endObject();
        Statistics.throughput(history.latest(clock.instant(), Statistics.MINUTES, status.name()), out);
        Interval runs = history.latest(clock.instant(), MINUTES, status.name());
        out.beginObject("latency_ms")
                .field("p50", runs.duration(0.5))
                .field("p95", runs.duration(0.95))
                .field("p99", runs.duration(0.99))
                .endObject()
                .endObject();
    }
}
