package io.floodgate.gateway.queue;

import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.queue.EnqueueThrough;
import io.floodgate.topics.queue.QueueConfig;
import org.jspecify.annotations.Nullable;

/** A queue's configuration as it is in force, in all the vocabularies in which it can be decided. */
final class ConfigView {
    private ConfigView() {}

    static void config(PublishedStatus status, JsonOut out) {
        out.beginObject("config");
        fields(status, out);
        out.endObject();
    }

    /** The same, with what the administration's page shows of backpressure. */
    static void configuration(PublishedStatus status, JsonOut out) {
        QueueConfig config = status.config();
        out.beginObject("configuration");
        plain(config, out);
        out.beginObject("backpressure");
        backpressure(config, out);
        out.field("enabled", config.isBounded())
                .optional("threshold", bound(config.depthBound()))
                .field("current_depth", status.room().depth())
                .field("state", state(status))
                .endObject()
                .endObject();
    }

    private static void plain(QueueConfig config, JsonOut out) {
        out.optional("max_size", bound(config.depthBound()))
                .optional("max_size_bytes", bound(config.sizeBound()))
                .field("overflow_policy", config.overflow().wire())
                .beginObject("capacity")
                .optional("max_depth", bound(config.depthBound()))
                .optional("max_size_bytes", bound(config.sizeBound()))
                .field("on_overflow", config.overflow().wire())
                .endObject();
        EnqueueThrough through = config.through();
        if (through != null) out.field("enqueue_through", through.wire());
        limits(config.limits(), out);
        TenantLimits.write(config.tenants(), out);
        PolicyView.write(config.policy(), out);
    }

    /** The policy of all queues: its fields, as a queue has them in {@code config}. */
    static void fields(PublishedStatus status, JsonOut out) {
        plain(status.config(), out);
        out.beginObject("backpressure");
        backpressure(status.config(), out);
        out.endObject();
    }

    private static void limits(Allowance limits, JsonOut out) {
        out.optional("concurrency", limits.concurrency());
        Pace rate = limits.rate();
        if (rate != null) pace("rate_limit", rate, out);
        Pace throttle = limits.throttle();
        if (throttle != null) pace("throttle", throttle, out);
    }

    private static void pace(String name, Pace pace, JsonOut out) {
        out.beginObject(name)
                .field("limit", pace.starts())
                .field("period", Durations.format(pace.period()))
                .endObject();
    }

    private static void backpressure(QueueConfig config, JsonOut out) {
        out.optional("max_depth", bound(config.depthBound()))
                .optional("max_size_bytes", bound(config.sizeBound()))
                .field("strategy", config.overflow().wire())
                .field("warning_threshold", config.threshold());
        TenantLimits.write(config.tenants(), out);
    }

    /** The bounds, beside figures; {@code bound} is what a producer's headers call so. */
    static void bounds(QueueConfig config, JsonOut out) {
        if (!config.isBounded()) return;
        out.optional("max_depth", bound(config.depthBound()))
                .optional("max_size_bytes", bound(config.sizeBound()))
                .field("bound", config.depthBound() > 0 ? config.depthBound() : config.sizeBound());
    }

    private static @Nullable Long bound(long bound) {
        return bound == 0 ? null : (Long) bound;
    }

    /** The page knows three levels: what is full is critical. */
    private static String state(PublishedStatus status) {
        String level = MemberWalk.text(status.json(), "level").orElse("normal");
        return level.equals("full") ? "critical" : level;
    }
}
