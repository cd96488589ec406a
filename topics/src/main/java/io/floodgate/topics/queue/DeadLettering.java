package io.floodgate.topics.queue;

import io.floodgate.topics.json.Wire;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a queue's dead letters (OJS queue configuration §6.4); whatever is null was not decided.
 *
 * @param queue that they go to; they stay where they are without one
 * @param maxSize the most that are kept: in that queue, or, where they stay, the latest ones; any number if zero
 * @param ttl how long they are kept
 */
public record DeadLettering(
        @Wire.Name("dead_letter_queue") @Nullable String queue,

        @Wire.Name("dead_letter_max_size") @Wire.Least(0) @Nullable
        Long maxSize,

        @Wire.Name("dead_letter_ttl_ms") @Nullable Duration ttl) {
    public static final DeadLettering NONE = new DeadLettering(null, null, null);

    /** How many there may be; null for any number. */
    public @Nullable Long bound() {
        return maxSize == null || maxSize == 0 ? null : maxSize;
    }

    DeadLettering over(DeadLettering other) {
        return new DeadLettering(
                queue == null ? other.queue : queue,
                maxSize == null ? other.maxSize : maxSize,
                ttl == null ? other.ttl : ttl);
    }

    DeadLettering without(Set<String> names) {
        return new DeadLettering(
                names.contains("dead_letter_queue") ? null : queue,
                names.contains("dead_letter_max_size") ? null : maxSize,
                names.contains("dead_letter_ttl_ms") ? null : ttl);
    }
}
