package io.floodgate.processor.limit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Strategy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The events about limits on {@code ojs.events} (OJS rate limiting §11.1). */
public final class LimitEvents {
    private LimitEvents() {}

    /** Jobs of this queue wait, the first of them this one; no more events follow until one starts. */
    public static void exceeded(String key, Held held, String queue, JobId first, Effects out) {
        JsonOut data = data(key);
        held.write(data);
        emit("rate_limit.exceeded", key, data.field("queue", queue).field("job_id", first.toString()), out);
    }

    /** One that had to wait has started. */
    public static void released(
            String key, Strategy strategy, String queue, JobId job, long waitedMillis, Effects out) {
        emit(
                "rate_limit.released",
                key,
                data(key)
                        .field("strategy", strategy.wire())
                        .field("queue", queue)
                        .field("job_id", job.toString())
                        .field("waited_ms", waitedMillis),
                out);
    }

    public static void dropped(String key, String queue, JobId job, String type, Effects out) {
        emit(
                "rate_limit.dropped",
                key,
                data(key).field("queue", queue).field("job_id", job.toString()).field("job_type", type),
                out);
    }

    /** @param queue whose jobs alone are affected; null for all of the key */
    public static void adjusted(String key, @Nullable String queue, Instant until, String reason, Effects out) {
        emit(
                "rate_limit.dynamic_adjusted",
                key,
                data(key).optional("queue", queue).field("until", until).field("reason", Limits.echo(reason)),
                out);
    }

    /** An operator has put this over what jobs and configurations say, until a time, or for good. */
    public static void overridden(String key, Allowance allowance, @Nullable Instant until, Effects out) {
        JsonOut data = data(key);
        allowance.write(data);
        emit("rate_limit.overridden", key, data.optional("expires_at", until), out);
    }

    /** An operator has ended it, or its time was over. */
    public static void overrideEnded(String key, Effects out) {
        emit("rate_limit.override_ended", key, data(key), out);
    }

    private static JsonOut data(String key) {
        return JsonOut.object().field("key", key);
    }

    private static void emit(String type, String key, JsonOut data, Effects out) {
        out.emit(type, key, "limit:" + key, data.endObject());
    }
}
