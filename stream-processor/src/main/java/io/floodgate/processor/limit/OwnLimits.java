package io.floodgate.processor.limit;

import io.floodgate.topics.limit.Allowance;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The limits that queues of this partition have themselves, whatever their jobs say: what is known as {@code queue:<name>}. */
public interface OwnLimits {
    /**
     * A queue that is limited as a whole.
     *
     * @param active jobs that run in it
     * @param frozenReason why nothing of it may start before a time, as a worker has said
     */
    record Own(
            String queue,
            Allowance allowance,
            Limiter limiter,
            long active,
            @Nullable String frozenReason) {}

    /** Returns whether the queue exists, limited or not. */
    boolean has(String queue);

    /** Null if nothing limits the queue as a whole. */
    @Nullable
    Own find(String queue, Instant now);

    /** Puts an allowance before the configured one; null ends that. */
    void override(String queue, @Nullable Allowance allowance);

    /** Returns up to {@code most} limited queues after this name, in the order of names. */
    List<Own> after(String queue, int most, Instant now);

    /** Returns the number of limited queues that match. */
    int count(Predicate<String> queues, Instant now);
}
