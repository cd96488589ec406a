package io.floodgate.topics.queue;

import io.floodgate.topics.json.Wire;
import io.floodgate.topics.retry.RetryOptions;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the jobs of a queue are given where they do not say it themselves (OJS queue configuration §6.2); whatever is null was
 * not decided.
 *
 * @param timeout how long a run may take
 * @param visibility how long a worker may stay silent
 * @param discardOnWorkerLost a job whose worker is lost is not tried again
 */
public record JobDefaults(
        @Wire.Name("default_timeout_ms") @Wire.Least(1) @Nullable
        Duration timeout,

        @Wire.Name("visibility_timeout_ms") @Wire.Least(1) @Nullable
        Duration visibility,

        @Wire.Name("default_retry") @Wire.OrEmpty RetryOptions retry,

        @Wire.Name("on_worker_lost") @Wire.Words({"retry", "discard"}) @Nullable
        Boolean discardOnWorkerLost) {
    public static final JobDefaults NONE = new JobDefaults(null, null, RetryOptions.NONE, null);

    JobDefaults over(JobDefaults other) {
        return new JobDefaults(
                timeout == null ? other.timeout : timeout,
                visibility == null ? other.visibility : visibility,
                retry.over(other.retry),
                discardOnWorkerLost == null ? other.discardOnWorkerLost : discardOnWorkerLost);
    }

    JobDefaults without(Set<String> names) {
        return new JobDefaults(
                names.contains("default_timeout_ms") ? null : timeout,
                names.contains("visibility_timeout_ms") ? null : visibility,
                names.contains("default_retry") ? RetryOptions.NONE : retry.without(names, "default_retry."),
                names.contains("on_worker_lost") ? null : discardOnWorkerLost);
    }
}
