package io.floodgate.processor.queue.permit;

import io.floodgate.processor.limit.OwnLimits;
import io.floodgate.processor.limit.OwnLimits.Own;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.QueueLimit;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.JobState;
import io.floodgate.topics.limit.Allowance;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The limits of whole queues, as operators see and override them. */
public record QueueLimits(Queues queues) implements OwnLimits {
    @Override
    public boolean has(String name) {
        return queues.find(name) != null;
    }

    @Override
    public @Nullable Own find(String name, Instant now) {
        Queue queue = queues.find(name);
        return queue == null ? null : own(queue, now);
    }

    /** Returns whether something limits the queue as a whole. */
    public static boolean isLimited(Queue queue, Instant now) {
        QueueLimit limit = queue.isGone() ? null : queue.limit();
        return limit != null
                && (!queue.limits().isUnlimited() || limit.limiter().frozenUntil(now) != null);
    }

    private static @Nullable Own own(Queue queue, Instant now) {
        QueueLimit limit = isLimited(queue, now) ? queue.limit() : null;
        if (limit == null) return null;
        long active = queue.counts.of(JobState.ACTIVE);
        return new Own(queue.name, queue.limits(), limit.limiter(), active, limit.frozenReason());
    }

    @Override
    public void override(String name, @Nullable Allowance allowance) {
        Queue queue = queues.find(name);
        if (queue == null || (allowance == null && queue.limit() == null)) return;
        queue.useLimit().override(allowance);
        queue.unfreeze();
        queues.changed(queue);
        queues.toServe(queue);
    }

    @Override
    public List<Own> after(String name, int most, Instant now) {
        return queues.after(name).stream()
                .map(queue -> own(queue, now))
                .filter(Objects::nonNull)
                .limit(most)
                .toList();
    }

    @Override
    public int count(Predicate<String> names, Instant now) {
        int count = 0;
        for (Queue queue : queues.all()) if (isLimited(queue, now) && names.test(queue.name)) count++;
        return count;
    }
}
