package io.floodgate.processor.limit;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many more jobs may start under an allowance, and when the next one may. Who waited for room in a window has his start dated
 * when there was some, so that late ticks do not add up from period to period. A throttle has a schedule of dates that lie
 * period/limit apart, each of which begins one job; where a date was missed since time comes in ticks, its job starts late and
 * the schedule goes on, so that no throughput is lost: by no more than {@link #CATCH_UP_US}, or {@link #LATE_TICK_US} if
 * somebody was waiting for it. Otherwise it begins anew.
 */
public final class Limiter {
    /** What is given at once: a message, and a step, stay small. */
    private static final int MOST = 100;

    static final long CATCH_UP_US = 25_000;

    /** So late a tick may be, on a busy machine, and cost no date. */
    static final long LATE_TICK_US = 150_000;

    private static final long STILL_WAITING = Long.MAX_VALUE;
    private static final int VERSION = 2;
    private static final int NOBODY_WAITS = 1;

    private Window window = new Window();
    /** The next date of the throttle, in microseconds. */
    private long nextUs;

    /** Until when somebody waited to start a job, in microseconds; 0 if nobody has. */
    private long awaitedUs;

    private long frozenUntil;

    /** @param active jobs that run, or may begin to */
    public int room(Allowance allowance, long active, Instant now) {
        if (frozenUntil > now.toEpochMilli()) return 0;
        long room = MOST;
        if (allowance.concurrency() != null) room = Math.min(room, allowance.concurrency() - active);
        Pace rate = allowance.rate();
        if (rate != null) room = Math.min(room, rate.starts() - window.count(now.toEpochMilli(), rate));
        if (allowance.throttle() != null) room = Math.min(room, dates(allowance, allowance.throttle(), now));
        return (int) Math.max(0, room);
    }

    private long dates(Allowance allowance, Pace throttle, Instant now) {
        long us = micros(now);
        long next = next(allowance, us);
        if (next > us) return 0;
        // Of several, each has a date of its own that there has to be room at.
        return allowance.rate() == null ? (us - next) / spacing(throttle) + 1 : 1;
    }

    /** The next date of the throttle; one that was missed counts, too, if the window had room then. */
    private long next(Allowance allowance, long us) {
        long next = nextUs < us - (isAwaited(us) ? LATE_TICK_US : CATCH_UP_US) ? us : nextUs;
        next = Math.max(next, Math.min(us, frozenUntil * 1_000));
        Pace rate = allowance.rate();
        return rate == null ? next : Math.max(next, Math.min(us, window.roomFor(1, rate) * 1_000));
    }

    /** When there was room for so many, if somebody waited for it then: what comes late is not to be late by more in the next period. */
    private long dated(@Nullable Pace rate, int count, long us) {
        long room = rate == null || !isAwaited(us) ? 0 : window.roomFor(count, rate);
        if (room == 0) return us;
        long since = Math.max(room, Math.max(window.last(), frozenUntil)) * 1_000;
        return Math.clamp(since, us - LATE_TICK_US, us);
    }

    /** Whoever has just got one comes again soon, and is still in time for the date after that. */
    private boolean isAwaited(long us) {
        return awaitedUs == STILL_WAITING || us - awaitedUs <= CATCH_UP_US;
    }

    /**
     * Whether somebody still waits to start a job, after all was given that could be. Not to be said where starts are
     * counted when they happen, as those of a queue's own limits are: they are not to be dated back.
     */
    void awaited(boolean now, Instant at) {
        long us = micros(at);
        if (now) awaitedUs = STILL_WAITING;
        else awaitedUs = isAwaited(us) ? Math.min(awaitedUs, us) : 0;
    }

    private static long spacing(Pace throttle) {
        return Math.ceilDiv(throttle.period().toMillis() * 1_000, throttle.starts());
    }

    private static long micros(Instant now) {
        return now.toEpochMilli() * 1_000;
    }

    /** Why there is no room, and, of several reasons, the one that lasts longest; null if there is. */
    public @Nullable Held held(Allowance allowance, long active, Instant now) {
        Long concurrency = allowance.concurrency();
        if (concurrency != null && active >= concurrency)
            return new Held(Strategy.CONCURRENCY, concurrency, active, null);
        Held held = frozenUntil <= now.toEpochMilli()
                ? null
                : new Held(Strategy.ADJUSTED, 0, active, Instant.ofEpochMilli(frozenUntil));
        Pace rate = allowance.rate();
        if (rate != null) {
            long count = window.count(now.toEpochMilli(), rate);
            if (count >= rate.starts())
                held = later(
                        held,
                        new Held(Strategy.RATE, rate.starts(), count, Instant.ofEpochMilli(window.roomFor(1, rate))));
        }
        Pace throttle = allowance.throttle();
        if (throttle != null && dates(allowance, throttle, now) == 0)
            held = later(
                    held,
                    new Held(
                            Strategy.THROTTLE,
                            throttle.starts(),
                            throttle.starts(),
                            Instant.ofEpochMilli(nextMillis())));
        return held;
    }

    private static Held later(@Nullable Held one, Held other) {
        if (one == null || one.until() == null || other.until() == null) return other;
        return one.until().isAfter(other.until()) ? one : other;
    }

    private long nextMillis() {
        return Math.ceilDiv(nextUs, 1_000);
    }

    /** Counts this many starts, for which there is room. */
    public Permits take(Allowance allowance, int count, Instant now) {
        long us = micros(now);
        Pace throttle = allowance.throttle();
        Permits permits = throttle == null
                ? new Permits(count, dated(allowance.rate(), count, us), 0)
                : new Permits(count, next(allowance, us), spacing(throttle));
        if (throttle != null) nextUs = permits.date(count);
        Pace rate = allowance.rate();
        if (rate != null) window.add(permits.first() / 1_000, permits.date(count - 1) / 1_000, count, rate);
        return permits;
    }

    /** What was dated so began no job. Of several, the last comes first. */
    public void putBack(Allowance allowance, long date) {
        window.remove(date / 1_000);
        Pace throttle = allowance.throttle();
        if (throttle != null && nextUs == date + spacing(throttle)) nextUs = date;
    }

    /** Nothing may start before this time, nor before an earlier one that was said. */
    public void freeze(Instant until) {
        frozenUntil = Math.max(frozenUntil, until.toEpochMilli());
    }

    /** What counts for nothing that is dated later than this, or a little before. */
    public void forgetBefore(Instant time) {
        window.forgetBefore(time.toEpochMilli() - LATE_TICK_US / 1_000);
    }

    /** From then on, what it remembers makes no difference. */
    public Instant quietAt(Allowance allowance) {
        Pace rate = allowance.rate();
        long rated = rate == null || window.isEmpty()
                ? 0
                : window.last() + rate.period().toMillis();
        long spaced = allowance.throttle() == null ? 0 : nextMillis();
        return Instant.ofEpochMilli(Math.max(frozenUntil, Math.max(rated, spaced)));
    }

    /** Starts in the period before this time. */
    public long count(Pace rate, Instant now) {
        return window.count(now.toEpochMilli(), rate);
    }

    /** When the starts that are counted now are all a period old. */
    public Instant emptyAt(Pace rate, Instant now) {
        return window.isEmpty() ? now : Instant.ofEpochMilli(window.last()).plus(rate.period());
    }

    /** When the throttle lets the next one through. */
    public Instant nextAt(Instant now) {
        long next = nextMillis();
        return next > now.toEpochMilli() ? Instant.ofEpochMilli(next) : now;
    }

    /** Not before this time, if that is to come. */
    public @Nullable Instant frozenUntil(Instant now) {
        return frozenUntil > now.toEpochMilli() ? Instant.ofEpochMilli(frozenUntil) : null;
    }

    /** What it remembers takes in memory. */
    public long bytes() {
        return window.bytes();
    }

    /** Nothing is remembered. */
    public boolean isNew() {
        return window.isEmpty() && nextUs == 0 && frozenUntil == 0;
    }

    public void write(BinaryOut out) {
        out.u8(awaitedUs == 0 ? NOBODY_WAITS : VERSION);
        window.write(out);
        out.number(nextUs).number(frozenUntil);
        if (awaitedUs != 0) out.number(awaitedUs);
    }

    public static Limiter read(BinaryIn in) {
        int version = in.version(VERSION, () -> "a limiter");
        Limiter limiter = new Limiter();
        limiter.window = Window.read(in);
        limiter.nextUs = in.number();
        limiter.frozenUntil = in.number();
        if (version > NOBODY_WAITS) limiter.awaitedUs = in.number();
        return limiter;
    }
}
