package io.floodgate.topics.queue;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How long the finished jobs of a queue are kept, and how many of them (OJS queue configuration §6.3); whatever is null was
 * not decided.
 *
 * @param completedCount the most that are kept, the latest ones
 */
public record Keeping(
        @Nullable Duration completed,
        @Nullable Duration discarded,
        @Nullable Duration cancelled,
        @Nullable Long completedCount,
        @Nullable Long discardedCount,
        @Nullable Long cancelledCount) {
    public static final Keeping NONE = new Keeping(null, null, null, null, null, null);

    Keeping over(Keeping other) {
        return new Keeping(
                completed == null ? other.completed : completed,
                discarded == null ? other.discarded : discarded,
                cancelled == null ? other.cancelled : cancelled,
                completedCount == null ? other.completedCount : completedCount,
                discardedCount == null ? other.discardedCount : discardedCount,
                cancelledCount == null ? other.cancelledCount : cancelledCount);
    }

    Keeping without(Set<String> names) {
        return new Keeping(
                names.contains("retention_ms.completed") ? null : completed,
                names.contains("retention_ms.discarded") ? null : discarded,
                names.contains("retention_ms.cancelled") ? null : cancelled,
                names.contains("retention_count.completed") ? null : completedCount,
                names.contains("retention_count.discarded") ? null : discardedCount,
                names.contains("retention_count.cancelled") ? null : cancelledCount);
    }
}
