package io.floodgate.topics.queue;

import io.floodgate.topics.json.Wire;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The order of a queue's jobs that have the same order key; whatever is null was not decided.
 *
 * @param path where the key of a job is that names none itself, see {@link OrderKey}; only such jobs have one if it is null
 * @param skips a job that has failed lets the next ones of its key go first until it is tried again
 * @param blockAtMost the time from its first failure on after which it does so anyhow
 */
public record KeyOrder(
        @Wire.Name("order_by") @Wire.Matches(OrderKey.PATH) @Nullable
        String path,

        @Wire.Name("order_on_failure") @Wire.Words({"block", "skip"}) @Nullable
        Boolean skips,

        @Wire.Name("order_block_at_most_ms") @Wire.Least(1) @Nullable
        Duration blockAtMost) {
    public static final KeyOrder NONE = new KeyOrder(null, null, null);

    public boolean isSkipping() {
        return Boolean.TRUE.equals(skips);
    }

    KeyOrder over(KeyOrder other) {
        return new KeyOrder(
                path == null ? other.path : path,
                skips == null ? other.skips : skips,
                blockAtMost == null ? other.blockAtMost : blockAtMost);
    }

    KeyOrder without(Set<String> names) {
        return new KeyOrder(
                names.contains("order_by") ? null : path,
                names.contains("order_on_failure") ? null : skips,
                names.contains("order_block_at_most_ms") ? null : blockAtMost);
    }
}
