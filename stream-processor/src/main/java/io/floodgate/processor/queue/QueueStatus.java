package io.floodgate.processor.queue;

import io.floodgate.topics.job.JobState;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What {@code ojs.queue-status} and the answer to {@code get-queue} say about a queue (docs/log-protocol.md). */
final class QueueStatus {
    private QueueStatus() {}

    static byte[] of(Queue queue, @Nullable Instant oldestAvailable, Instant now) {
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
}
