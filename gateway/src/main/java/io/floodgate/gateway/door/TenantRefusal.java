package io.floodgate.gateway.door;

import io.floodgate.gateway.http.QueueLoad;
import io.floodgate.topics.command.Refusal;
import java.util.concurrent.atomic.AtomicLong;

/** What a log has refused a tenant with, which has all that it may have of a queue. */
final class TenantRefusal {
    private final Refusal refusal;
    private final long version;
    private final long depth;
    private final long bound;
    private final long at;
    private final AtomicLong askedAt;

    TenantRefusal(Refusal refusal, QueueLoad figures, long at) {
        this.refusal = refusal;
        this.at = at;
        version = figures.number("version").orElse(0);
        depth = figures.number("depth").orElse(0);
        bound = figures.number("max_depth").orElse(0);
        askedAt = new AtomicLong(at);
    }

    boolean isOver(long jobs) {
        return bound > 0 && depth + jobs > bound;
    }

    /** Nothing has changed in the queue since, as far as is known here. */
    boolean isNewest(long known) {
        return known <= version;
    }

    boolean standsAt(long now) {
        return now - at <= Door.STANDS.toNanos();
    }

    boolean isQuestion(long now) {
        long before = askedAt.get();
        return now - before >= Door.BETWEEN_QUESTIONS.toNanos() && askedAt.compareAndSet(before, now);
    }

    Refusal refusal() {
        return refusal;
    }
}
