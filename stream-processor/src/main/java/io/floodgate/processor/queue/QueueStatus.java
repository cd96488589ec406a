package io.floodgate.processor.queue;

import io.floodgate.topics.job.JobState;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What {@code ojs.queue-status} and the answer to {@code get-queue} say about a queue (docs/log-protocol.md). */
final class QueueStatus {
    /** Those with the most jobs are shown. */
    static final int MOST_TENANTS = 1_000;

    private QueueStatus() {}

    /** @param producers that wait for room; null by the first rules, which knew no bounds */
    static byte[] of(Queue queue, @Nullable Instant oldestAvailable, Instant now, @Nullable Producers producers) {
        JsonOut out = new JsonOut(640)
                .beginObject()
                .field("name", queue.name)
                .field("state", queue.isPaused() ? "paused" : "active")
                .field("paused", queue.isPaused())
                .optional("paused_at", queue.pausedAt);
        if (queue.version > 0) out.field("created_at", queue.createdAt()).field("updated_at", queue.updatedAt());
        Counts counts = queue.counts;
        out.field("depth", counts.depth());
        for (JobState state : JobState.values()) out.field(state.wire(), counts.of(state));
        out.field("dead", counts.deadLetters())
                .field("size_bytes", counts.bytes())
                .optional("oldest_available_at", oldestAvailable);
        if (producers != null) bounds(queue, producers, now, out);
        Throughput.Figures done = queue.figures(now);
        return out.field("completed_last_hour", done.completedLastHour())
                .field("failed_last_hour", done.failedLastHour())
                .field("completed_today", done.completedToday())
                .field("failed_today", done.failedToday())
                .field("avg_duration_ms", done.averageRunMillis())
                .field("avg_wait_ms", done.averageWaitMillis())
                .field("throughput_per_second", done.perSecond())
                .field("version", queue.version)
                .endObject()
                .toBytes();
    }

    /** The same, and what its tenants have in it: for whoever asks, since it may be long. */
    static byte[] complete(byte[] status, Queue queue) {
        TenantJobs tenants = queue.tenants;
        if (tenants == null) return status;
        JsonOut out = new JsonOut(status.length + 256)
                .beginObject()
                .members(status)
                .field("tenants_counted", queue.tenantsCountedBefore() == null)
                .name("tenant_depths")
                .beginObject();
        tenants.deepest(MOST_TENANTS).forEach(out::field);
        return out.endObject().endObject().toBytes();
    }

    private static void bounds(Queue queue, Producers producers, Instant now, JsonOut out) {
        config(queue.config(), out);
        if (queue.config().isBounded()) {
            out.field("pressure", Pressure.of(queue))
                    .field("level", Pressure.level(queue))
                    .field("fills_per_second", rounded(queue.fillsPerSecond(now)))
                    .field("drains_per_second", rounded(queue.drainsPerSecond(now)));
            if (Pressure.of(queue) >= 1) out.field("room_in_seconds", Bounds.roomIn(queue, now));
        }
        out.field("rejected", queue.told().rejected())
                .field("dropped", queue.told().dropped())
                .field("blocked", producers.at(queue.name))
                .optional("blocked_since", producers.firstSince(queue.name));
    }

    private static double rounded(double rate) {
        return Math.round(rate * 100) / 100.0;
    }

    /** What was decided about it; the rest is as usual. */
    static void config(QueueConfig config, JsonOut out) {
        Overflow strategy = config.strategy();
        Double threshold = config.warningThreshold();
        out.name("config")
                .beginObject()
                .optional("max_depth", config.maxDepth())
                .optional("max_size_bytes", config.maxSizeBytes())
                .optional("strategy", strategy == null ? null : strategy.wire());
        if (threshold != null) out.field("warning_threshold", threshold);
        if (!config.tenants().isNone()) {
            out.name("tenants").beginObject();
            config.tenants().depths().forEach(out::field);
            out.endObject();
        }
        if (!config.limits().isUnlimited()) {
            out.name("limits").beginObject();
            config.limits().write(out);
            out.endObject();
        }
        out.endObject();
    }
}
