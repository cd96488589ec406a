package io.floodgate.gateway.pool;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.pool.DispatchCounts.Figures;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.json.JsonOut;
import java.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code GET /ojs/v1/admin/scheduling/stats} (OJS fair scheduling §10.2): what was handed out lately, the busiest queues first. */
public record SchedulingStats(DispatchCounts dispatches, StatusTable table, Clock clock) {
    private static final int MOST = 1_000;

    public ApiResponse show(Call call) {
        Map<String, Figures> counted = new HashMap<>();
        long all = 0;
        for (Figures each : dispatches.at(clock.instant())) {
            counted.put(each.queue(), each);
            all += each.count();
        }
        for (PublishedStatus queue : table.page(0, MOST))
            counted.putIfAbsent(queue.name(), new Figures(queue.name(), 0, 0));
        List<Figures> shown = counted.values().stream()
                .sorted(Comparator.comparingLong(Figures::count).reversed().thenComparing(Figures::queue))
                .limit(MOST)
                .toList();
        JsonOut queues = new JsonOut(4_096).beginArray();
        for (Figures each : shown)
            queues.beginObject()
                    .field("name", each.queue())
                    .field("dispatch_count_1m", each.count())
                    .field("dispatched", each.count())
                    .field("dispatch_ratio_1m", all == 0 ? 0.0 : Math.rint(1_000.0 * each.count() / all) / 1_000)
                    .field("avg_wait_ms", each.meanWait())
                    .field("active_jobs", table.number(each.queue(), "active"))
                    .endObject();
        byte[] list = queues.endArray().toBytes();
        JsonOut out = JsonOut.object(2 * list.length + 256);
        members(list, all, out);
        out.beginObject("stats");
        members(list, all, out);
        return ApiResponse.ok(out.endObject().endObject());
    }

    private static void members(byte[] queues, long all, JsonOut out) {
        out.fieldRaw("queues", queues)
                .field("dispatch_count_1m", all)
                // The admin page reads these two. The strategy is that of fetches that name no pool.
                .field("dispatched", all)
                .field("strategy", "strict")
                .field("window", DispatchCounts.WINDOW.toString());
    }
}
