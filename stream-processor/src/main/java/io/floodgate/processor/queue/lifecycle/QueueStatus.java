package io.floodgate.processor.queue.lifecycle;

import io.floodgate.processor.queue.bound.Producers;
import io.floodgate.processor.queue.bound.RetryTimes;
import io.floodgate.processor.queue.job.KeyTurns;
import io.floodgate.processor.queue.state.Counts;
import io.floodgate.processor.queue.state.Ending;
import io.floodgate.processor.queue.state.PressureLevels;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.TenantJobs;
import io.floodgate.processor.queue.state.Throughput;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.QueueConfigCodec;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status of a queue in {@code ojs.queue-status} and in the answer to {@code get-queue}
 * (docs/reference/log-protocol.md).
 */
final class QueueStatus {
    /** Most tenants that are shown: those with the most jobs. */
    static final int MOST_TENANTS = 1_000;

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private QueueStatus() {}

    /** @param producers that wait for capacity */
    static byte[] of(
            Queue queue, @Nullable Instant oldestAvailable, KeyTurns.Figures keys, Instant now, Producers producers) {
        JsonOut out = JsonOut.object(640)
                .field("name", queue.name)
                .field("state", state(queue))
                .field("paused", queue.isPaused())
                .optional("paused_at", queue.pausedAt)
                .optional("paused_by", queue.pausedBy)
                .optional("paused_reason", queue.pausedReason);
        if (queue.version > 0) out.field("created_at", queue.createdAt()).field("updated_at", queue.updatedAt());
        Counts counts = queue.counts;
        out.field("depth", counts.depth());
        for (JobState state : JobState.values()) out.field(state.wire(), counts.of(state));
        out.field("dead", counts.deadLetters())
                .optional("last_dead_at", counts.lastDeadAt())
                .field("size_bytes", counts.bytes())
                .optional("oldest_available_at", oldestAvailable)
                .optional("last_fetched_at", queue.fetches == null ? null : queue.fetches.at());
        if (keys.behind() > 0)
            out.field("behind_key", keys.behind())
                    .field("longest_key", keys.longest())
                    .optional("behind_key_since", keys.since());
        life(queue, out);
        bounds(queue, producers, now, out);
        Throughput.Figures done = queue.figures(now);
        return out.field("completed_last_hour", done.completedLastHour())
                .field("failed_last_hour", done.failedLastHour())
                .field("dropped_last_hour", done.droppedLastHour())
                .field("completed_today", done.completedToday())
                .field("failed_today", done.failedToday())
                .field("avg_duration_ms", done.averageRunMillis())
                .field("avg_wait_ms", done.averageWaitMillis())
                .field("throughput_per_second", done.perSecond())
                .field("version", queue.version)
                .endObject()
                .toBytes();
    }

    /**
     * The same, with all of its configuration and what its tenants have in it: only on request, since it may be long.
     *
     * @param system the defaults where no operator has decided anything
     */
    static byte[] complete(byte[] status, Queue queue, QueueConfig system) {
        JsonOut out = JsonOut.object(status.length + 1024);
        MemberWalk members = new MemberWalk(status);
        while (members.next()) if (!members.nameIs("config")) members.copyTo(out);
        configs(queue.config().over(system), queue.decided(), out);
        TenantJobs tenants = queue.tenants;
        if (tenants == null) return out.endObject().toBytes();
        out.field("tenants_counted", queue.tenantsCountedBefore() == null).beginObject("tenant_depths");
        tenants.deepest(MOST_TENANTS).forEach(out::field);
        return out.endObject().endObject().toBytes();
    }

    /** The policy of all queues. */
    static byte[] ofDefaults(QueueConfig decided, QueueConfig resolved, long version) {
        JsonOut out = JsonOut.object(1024).field("name", QueueConfig.DEFAULT);
        configs(resolved, decided, out);
        return out.field("version", version).endObject().toBytes();
    }

    private static void configs(QueueConfig resolved, QueueConfig decided, JsonOut out) {
        out.beginObject("config");
        QueueConfigCodec.write(resolved, out);
        out.endObject().beginObject("decided");
        QueueConfigCodec.write(decided, out);
        out.endObject();
    }

    private static void bounds(Queue queue, Producers producers, Instant now, JsonOut out) {
        out.beginObject("config");
        QueueConfigCodec.writeBounds(queue.config(), out);
        out.endObject();
        // Only a caller that may come in learns that it is full.
        if (queue.config().policy().access().isRestricted()) out.field("restricted", true);
        if (queue.config().isBounded())
            out.field("pressure", PressureLevels.of(queue)).field("level", PressureLevels.level(queue));
        out.field("fills_per_second", rounded(queue.fillsPerSecond(now)))
                .field("drains_per_second", rounded(queue.drainsPerSecond(now)));
        if (queue.config().isBounded() && PressureLevels.of(queue) >= 1) {
            Long seconds = RetryTimes.roomIn(queue, now);
            if (seconds == null) out.fieldRaw("room_in_seconds", NULL);
            else out.field("room_in_seconds", seconds);
        }
        out.optional("full_since", queue.config().isBounded() ? queue.told().fullSince() : null);
        out.field("rejected", queue.told().rejected())
                .field("dropped", queue.told().dropped())
                .field("blocked", producers.at(queue.name))
                .optional("blocked_since", producers.firstSince(queue.name));
    }

    private static String state(Queue queue) {
        if (queue.ending() != null) return "draining";
        return queue.isPaused() ? "paused" : "active";
    }

    private static void life(Queue queue, JsonOut out) {
        if (queue.life().explicit()) out.field("explicit", true);
        Ending ending = queue.ending();
        if (ending == null) return;
        out.beginObject("deletion");
        ending.show(out);
        out.field("since", ending.since()).endObject();
    }

    private static double rounded(double rate) {
        return Math.round(rate * 100) / 100.0;
    }
}
