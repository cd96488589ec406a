package io.floodgate.gateway.queue;

import io.floodgate.topics.command.QueueConfigCodec;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.SchemaMode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The policy about the jobs of a queue, as OJS queue configuration §6 names it. */
final class PolicyView {
    private PolicyView() {}

    static void write(QueuePolicy policy, JsonOut out) {
        write(policy.jobs(), out);
        write(policy.keeping(), out);
        write(policy.deadLetters(), policy.keeping().discarded(), out);
        List<String> types = policy.access().jobTypes();
        if (types != null) out.field("allowed_job_types", types);
        List<String> producers = policy.access().producers();
        if (producers != null) out.field("producers", producers);
        write(policy.order(), out);
        QueueConfigCodec.write(policy.fairness(), out);
        SchemaMode schemas = policy.schemas();
        if (schemas != null) out.field(SchemaMode.NAME, schemas.wire());
    }

    private static void write(JobDefaults jobs, JsonOut out) {
        seconds("visibility_timeout", jobs.visibility(), out);
        seconds("default_timeout", jobs.timeout(), out);
        if (!jobs.retry().isNone()) {
            out.name("default_retry");
            jobs.retry().write(out);
        }
        Boolean discards = jobs.discardOnWorkerLost();
        if (discards != null) out.field("on_worker_lost", discards ? "discard" : "retry");
    }

    private static void seconds(String name, @Nullable Duration length, JsonOut out) {
        if (length == null) return;
        if (length.toMillis() % 1_000 == 0) out.field(name, length.toSeconds());
        else out.field(name, length.toMillis() / 1_000.0);
    }

    private static void write(Keeping keeping, JsonOut out) {
        if (keeping.equals(Keeping.NONE)) return;
        out.beginObject("retention")
                .optional("completed", time(keeping.completed()))
                .optional("discarded", time(keeping.discarded()))
                .optional("cancelled", time(keeping.cancelled()))
                .optional("completed_count", keeping.completedCount())
                .optional("discarded_count", keeping.discardedCount())
                .optional("cancelled_count", keeping.cancelledCount())
                .endObject();
    }

    /** @param discarded how long other discarded jobs are kept, and dead letters, where nothing is decided about them */
    private static void write(DeadLettering dead, @Nullable Duration discarded, JsonOut out) {
        out.optional("dead_letter_queue", dead.queue())
                .optional("dead_letter_max_size", dead.maxSize())
                .optional("dead_letter_ttl", time(dead.ttl() == null ? discarded : dead.ttl()));
    }

    private static void write(KeyOrder order, JsonOut out) {
        if (order.equals(KeyOrder.NONE)) return;
        Boolean skips = order.skips();
        out.beginObject("order")
                .optional("key", order.path())
                .optional("on_failure", skips == null ? null : skips ? "skip" : "block")
                .optional("block_at_most", time(order.blockAtMost()))
                .endObject();
    }

    private static @Nullable String time(@Nullable Duration time) {
        return time == null ? null : Durations.format(time);
    }
}
