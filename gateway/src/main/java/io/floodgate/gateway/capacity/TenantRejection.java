package io.floodgate.gateway.capacity;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.command.Rejection;
import java.util.concurrent.atomic.AtomicLong;

/** A rejection by a partition of a tenant that has reached its bound in a queue. */
final class TenantRejection {
    private final Rejection rejection;
    private final long version;
    private final long depth;
    private final long bound;
    private final long at;
    private final AtomicLong askedAt;

    TenantRejection(Rejection rejection, QueueLoad figures, long at) {
        this.rejection = rejection;
        this.at = at;
        version = figures.number("version").orElse(0);
        depth = figures.number("depth").orElse(0);
        bound = figures.number("max_depth").orElse(0);
        askedAt = new AtomicLong(at);
    }

    boolean isOver(long jobs) {
        return bound > 0 && depth + jobs > bound;
    }

    /** Returns whether nothing has changed in the queue since, as far as is known here. */
    boolean isNewest(long known) {
        return known <= version;
    }

    boolean standsAt(long now) {
        return now - at <= CachedCapacity.STANDS.toNanos();
    }

    boolean isQuestion(long now) {
        long before = askedAt.get();
        return now - before >= CachedCapacity.BETWEEN_QUESTIONS.toNanos() && askedAt.compareAndSet(before, now);
    }

    Rejection rejection() {
        return rejection;
    }
}
