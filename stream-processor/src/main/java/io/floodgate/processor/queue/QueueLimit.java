package io.floodgate.processor.queue;

import io.floodgate.processor.limit.Limiter;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a queue's own limits remember: its starts, and whether it was announced that they are reached. */
final class QueueLimit {
    private static final Duration ANNOUNCED_EVERY = Duration.ofSeconds(1);

    private Limiter limiter = new Limiter();
    private Strategy heldBy = Strategy.CONCURRENCY;
    private long heldSince;
    private long lastAnnounced;

    int room(Allowance allowance, long active, Instant now) {
        return limiter.room(allowance, active, now);
    }

    @Nullable
    Held held(Allowance allowance, long active, Instant now) {
        return limiter.held(allowance, active, now);
    }

    void start(Allowance allowance, Instant now) {
        Pace rate = allowance.rate();
        limiter.tidy(allowance, rate == null ? Duration.ZERO : rate.period(), now);
        limiter.start(allowance, 1, now);
    }

    void freeze(Instant until) {
        limiter.freeze(until);
    }

    void unfreeze() {
        limiter.unfreeze();
    }

    Limiter limiter() {
        return limiter;
    }

    /** Whether it is to be announced that jobs are held back: once until one starts, and not too often. */
    boolean announces(Held held, Instant now) {
        boolean recently = now.toEpochMilli() - lastAnnounced < ANNOUNCED_EVERY.toMillis();
        if (heldSince > 0 || recently) return false;
        heldBy = held.strategy();
        heldSince = now.toEpochMilli();
        lastAnnounced = heldSince;
        return true;
    }

    /** For how long jobs were held back, as was announced, until one starts now; negative if they were not. */
    long release(Instant now) {
        long since = heldSince;
        heldSince = 0;
        return since == 0 ? -1 : now.toEpochMilli() - since;
    }

    /** What has held jobs back, as was announced last. */
    Strategy heldBy() {
        return heldBy;
    }

    boolean isNew() {
        return limiter.isNew() && heldSince == 0 && lastAnnounced == 0;
    }

    void write(BinaryOut out) {
        limiter.write(out);
        out.text(heldBy.wire()).number(heldSince).number(lastAnnounced);
    }

    static QueueLimit read(BinaryIn in) {
        QueueLimit limit = new QueueLimit();
        limit.limiter = Limiter.read(in);
        limit.heldBy = Strategy.parse(in.text()).orElseThrow();
        limit.heldSince = in.number();
        limit.lastAnnounced = in.number();
        return limit;
    }
}
