package io.floodgate.processor.queue.state;

import io.floodgate.processor.limit.Limiter;
import io.floodgate.processor.limit.StoredLimits;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of a queue's own limits: its starts, and whether it was announced that they are reached. */
public final class QueueLimit {
    private static final Duration ANNOUNCED_EVERY = Duration.ofSeconds(1);

    private Limiter limiter = new Limiter();
    private @Nullable Allowance override;
    private @Nullable String frozenReason;
    private Strategy heldBy = Strategy.CONCURRENCY;
    private long heldSince;
    private long lastAnnounced;
    private final LimitedTime limited = new LimitedTime();

    int room(Allowance allowance, long active, Instant now) {
        return limiter.room(allowance, active, now);
    }

    @Nullable
    Held held(Allowance allowance, long active, Instant now) {
        return limiter.held(allowance, active, now);
    }

    public void start(Allowance allowance, Instant now) {
        Pace rate = allowance.rate();
        limiter.tidy(allowance, rate == null ? Duration.ZERO : rate.period(), now);
        limiter.start(allowance, 1, now);
    }

    public void freeze(Instant until, String reason) {
        limiter.freeze(until);
        frozenReason = reason;
    }

    /** Returns the last reason why no job may start before a time. */
    @Nullable
    public String frozenReason() {
        return frozenReason;
    }

    /** Overrides the queue's configuration; null ends that. */
    public void override(@Nullable Allowance allowance) {
        override = allowance;
    }

    boolean isOverridden() {
        return override != null;
    }

    /** Returns the allowance in force over this configured one. */
    Allowance over(Allowance configured) {
        return override == null ? configured : override.over(configured);
    }

    /** Returns the time for which its jobs were held back. */
    public LimitedTime limited() {
        return limited;
    }

    void unfreeze() {
        limiter.unfreeze();
    }

    public Limiter limiter() {
        return limiter;
    }

    /** Returns whether it is to be announced that jobs are held back: once until one starts, and not too often. */
    public boolean announces(Held held, Instant now) {
        boolean recently = now.toEpochMilli() - lastAnnounced < ANNOUNCED_EVERY.toMillis();
        if (heldSince > 0 || recently) return false;
        heldBy = held.strategy();
        heldSince = now.toEpochMilli();
        lastAnnounced = heldSince;
        return true;
    }

    /** Returns for how long jobs were held back, as was announced, until one starts now; negative if they were not. */
    public long release(Instant now) {
        long since = heldSince;
        heldSince = 0;
        return since == 0 ? -1 : now.toEpochMilli() - since;
    }

    /** Returns what has held jobs back, as was announced last. */
    public Strategy heldBy() {
        return heldBy;
    }

    /** Returns the memory of this state. */
    long bytes() {
        return limiter.bytes();
    }

    boolean isNew() {
        return limiter.isNew() && heldSince == 0 && lastAnnounced == 0 && override == null && limited.isNew();
    }

    void write(BinaryOut out) {
        limiter.write(out);
        out.text(heldBy.wire()).number(heldSince).number(lastAnnounced);
        limited.write(out);
        out.optional(frozenReason).flag(override != null);
        if (override != null) StoredLimits.write(override, out);
    }

    static QueueLimit read(BinaryIn in) {
        QueueLimit limit = new QueueLimit();
        limit.limiter = Limiter.read(in);
        limit.heldBy = WireName.parse(Strategy.class, in.text()).orElseThrow();
        limit.heldSince = in.number();
        limit.lastAnnounced = in.number();
        limit.limited.restore(in);
        limit.frozenReason = in.optionalText();
        limit.override = in.flag() ? StoredLimits.read(in) : null;
        return limit;
    }
}
