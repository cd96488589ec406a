package io.floodgate.processor.limit;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How many more jobs may start under an allowance, and when the next one may. What counts is when jobs start, not when permits
 * are given: a permit is used between its date and {@link #USABLE_MS} later, and counts as if it were used at the end of that
 * time until its start is reported, or until it goes back.
 *
 * <pre>
 *   give a permit at t only if fewer than R starts count after t - P
 *
 *   Of any R + 1 starts within P take the one whose permit was given last, at g: it starts at g or later, so the R others
 *   start, and count, after g - P. It would not have been given.
 * </pre>
 *
 * A throttle has a schedule of dates that lie period/limit apart. From a spacing of 20 ms on each start has to be known before the
 * next one may come: at its date in the schedule, and nine tenths of the spacing after the one before at the earliest, or half of it
 * if that was in another partition. What is late by up to one spacing does not make all that follows late, so no more than n + 1 start in n spacings. Shorter spacings are
 * kept on average: no 250 ms have more starts than the throttle allows in it, and one.
 */
public final class Limiter {
    /** A permit is used so soon after its date, or goes back: as long as partitions that are slow but sound take to talk. */
    public static final long USABLE_MS = 5_000;

    /** Time before their date at which single permits for another partition are given. */
    static final long AHEAD_MS = 50;

    /** Most permits that are given at once, so that messages and steps stay small. */
    private static final int MOST = 100;

    /** Lateness that short spacings make up for; more if a job was waiting. */
    static final long CATCH_UP_US = 25_000;

    static final long LATE_TICK_US = 150_000;

    /** Instead of a partition. */
    static final int ANYWHERE = -1;

    private static final long STILL_WAITING = Long.MAX_VALUE;
    private static final int VERSION = 1;

    /** Starts that count for the rate, and those of the last short while that count for a throttle. */
    private Window window = new Window();

    private Window recent = new Window();

    private OpenPermits open = new OpenPermits();

    /** The time of the last start that is known; 0 if none is. */
    private long last;
    /** Partition of the last start; {@link #ANYWHERE} if it is not known. */
    private int lastWhere = ANYWHERE;

    /** The next date in the schedule of the throttle, in microseconds. */
    private long nextUs;
    /** Last time at which a job waited to start, in microseconds; 0 if none did. */
    private long awaitedUs;

    private long frozenUntil;

    /** @param active jobs that run, or may begin to */
    public int room(Allowance allowance, long active, Instant now) {
        return room(allowance, active, now, 0, ANYWHERE);
    }

    /**
     * @param ahead how many milliseconds before they may start
     * @param where the partition in which they would
     */
    int room(Allowance allowance, long active, Instant now, long ahead, int where) {
        long millis = now.toEpochMilli();
        if (frozenUntil > millis) return 0;
        long room = MOST;
        // mutant: limit-concurrency
        if (allowance.concurrency() != null) room = Math.min(room, allowance.concurrency() - active);
        Pace rate = allowance.rate();
        if (rate != null) room = Math.min(room, rate.starts() - window.count(millis, rate) - open.count());
        Pace throttle = allowance.throttle();
        if (throttle != null)
            room = Math.min(
                    room,
                    Spacing.isEven(throttle)
                            ? next(throttle, millis, ahead, where)
                            : dates(throttle, Spacing.micros(now), millis));
        return (int) Math.max(0, room);
    }

    private long next(Pace throttle, long millis, long ahead, int where) {
        return evenFrom(throttle, millis, where, this::latest) <= millis + ahead ? 1 : 0;
    }

    /** Returns how many dates of the schedule have come, at most as many as the last 250 ms may still have. */
    private long dates(Pace throttle, long us, long millis) {
        long next = shortFrom(throttle, us, this::latest);
        if (next > us) return 0;
        Pace most = Spacing.shortWhile(throttle);
        return Math.min(
                (us - next) / Spacing.of(throttle) + 1, most.starts() - recent.count(millis, most) - open.count());
    }

    /** Returns when a permit of this date is used at the latest. */
    private long latest(long date) {
        // mutant: unreported-start
        return date + USABLE_MS;
    }

    /** The last start that is known, or may be to come. */
    private long lastUs(LongUnaryOperator counted) {
        return 1_000 * (open.isEmpty() ? last : Math.max(last, counted.applyAsLong(open.lastDate())));
    }

    /** Returns the time from which the next job may start, in milliseconds. */
    private long evenFrom(Pace throttle, long millis, int where, LongUnaryOperator counted) {
        long spacing = Spacing.of(throttle);
        long lastUs = lastUs(counted);
        if (lastUs == 0) return millis;
        // A throttle that was changed is in force at once: the next date is no further away than it says now.
        boolean isElsewhere = open.isEmpty() && where != ANYWHERE && lastWhere != ANYWHERE && where != lastWhere;
        // mutant: throttle-spacing
        long least = isElsewhere ? Math.ceilDiv(spacing, 2) : spacing * 9 / 10;
        long next = Math.max(Math.min(nextUs, lastUs + spacing), lastUs + least);
        return Math.max(millis, Math.ceilDiv(next, 1_000));
    }

    /** The next date of a short spacing, in microseconds. */
    private long shortFrom(Pace throttle, long us, LongUnaryOperator counted) {
        long next = Math.min(nextUs, lastUs(counted) + Spacing.of(throttle));
        return next < us - (isAwaited(us) ? LATE_TICK_US : CATCH_UP_US) ? us : next;
    }

    /** A partition that has just got a permit asks again soon, and is still in time for the date after that. */
    private boolean isAwaited(long us) {
        return awaitedUs == STILL_WAITING || us - awaitedUs <= CATCH_UP_US;
    }

    /** Remembers whether a job still waits to start, after all possible permits were given. */
    void awaited(boolean now, Instant at) {
        long us = Spacing.micros(at);
        if (now) awaitedUs = STILL_WAITING;
        else awaitedUs = isAwaited(us) ? Math.min(awaitedUs, us) : 0;
    }

    /**
     * Returns why no job may start, and, of several reasons, the one that lasts longest; null if one may. Permits that
     * are under way count as used now: mostly they are, and their starts will be reported soon.
     */
    public @Nullable Held held(Allowance allowance, long active, Instant now) {
        Long concurrency = allowance.concurrency();
        if (concurrency != null && active >= concurrency)
            return new Held(Strategy.CONCURRENCY, concurrency, active, null);
        return heldForTime(allowance, active, now, ANYWHERE, date -> Math.max(date, now.toEpochMilli()));
    }

    private @Nullable Held heldForTime(
            Allowance allowance, long active, Instant now, int where, LongUnaryOperator counted) {
        long millis = now.toEpochMilli();
        Held held = frozenUntil <= millis
                ? null
                : new Held(Strategy.ADJUSTED, 0, active, Instant.ofEpochMilli(frozenUntil));
        Pace rate = allowance.rate();
        if (rate != null) {
            long count = window.count(millis, rate) + open.count();
            if (count >= rate.starts())
                held = later(
                        held,
                        new Held(
                                Strategy.RATE,
                                rate.starts(),
                                count,
                                soon(window.roomFor(rate, open.dates(), counted), now)));
        }
        Pace throttle = allowance.throttle();
        if (throttle != null) {
            boolean isHeld = Spacing.isEven(throttle)
                    ? next(throttle, millis, 0, where) == 0
                    : dates(throttle, Spacing.micros(now), millis) <= 0;
            if (isHeld)
                held = later(
                        held,
                        new Held(
                                Strategy.THROTTLE,
                                throttle.starts(),
                                throttle.starts(),
                                soon(from(throttle, now, where, counted), now)));
        }
        return held;
    }

    /** Returns a time that is in the future, by a millisecond at least. */
    private static Instant soon(long time, Instant now) {
        return Instant.ofEpochMilli(Math.max(time, now.toEpochMilli() + 1));
    }

    private long from(Pace throttle, Instant now, int where, LongUnaryOperator counted) {
        if (Spacing.isEven(throttle)) return evenFrom(throttle, now.toEpochMilli(), where, counted);
        long date = Math.ceilDiv(shortFrom(throttle, Spacing.micros(now), counted), 1_000);
        Pace most = Spacing.shortWhile(throttle);
        return recent.count(now.toEpochMilli(), most) + open.count() < most.starts()
                ? date
                : Math.max(date, recent.roomFor(most, open.dates(), counted));
    }

    /**
     * Returns when a job may start again if no permit that is under way is reported before; null if time does not
     * decide.
     *
     * @param ahead how many milliseconds before they may start
     * @param where the partition in which they would
     */
    @Nullable
    Instant opensAt(Allowance allowance, long active, Instant now, long ahead, int where) {
        Long concurrency = allowance.concurrency();
        if (concurrency != null && active >= concurrency) return null;
        Held held = heldForTime(allowance, active, now, where, this::latest);
        if (held == null || held.until() == null) return null;
        Pace throttle = allowance.throttle();
        boolean isAhead = held.strategy() == Strategy.THROTTLE && throttle != null && Spacing.isEven(throttle);
        return isAhead ? soon(held.until().toEpochMilli() - ahead, now) : held.until();
    }

    private static Held later(@Nullable Held one, Held other) {
        if (one == null || one.until() == null || other.until() == null) return other;
        return one.until().isAfter(other.until()) ? one : other;
    }

    /** Gives permits for this many starts, which must be allowed. */
    public Permits take(Allowance allowance, int count, Instant now) {
        return take(allowance, count, now, ANYWHERE);
    }

    /** @param where the partition in which they are used */
    Permits take(Allowance allowance, int count, Instant now, int where) {
        long millis = now.toEpochMilli();
        if (!allowance.isPaced()) return new Permits(count, millis, 0);
        long date = millis;
        Pace throttle = allowance.throttle();
        if (throttle != null && Spacing.isEven(throttle)) {
            date = evenFrom(throttle, millis, where, this::latest);
            long us = date * 1_000;
            boolean missed = nextUs < us - Spacing.of(throttle);
            long scheduled = !missed ? nextUs : isAwaited(Spacing.micros(now)) ? us - Spacing.of(throttle) : us;
            nextUs = Math.min(scheduled, us) + Spacing.of(throttle);
        } else if (throttle != null) {
            nextUs = shortFrom(throttle, Spacing.micros(now), this::latest) + count * Spacing.of(throttle);
        }
        open.give(date, count);
        return new Permits(count, date, latest(date));
    }

    /**
     * {@code count} jobs have started on permits of this date.
     *
     * @param where in which partition
     */
    void started(Allowance allowance, long date, long at, int count, int where) {
        if (at >= last) lastWhere = where;
        for (int i = 0; i < count; i++) close(date);
        count(allowance, Math.clamp(at, date, latest(date)), count);
    }

    /** Starts jobs, which must be allowed. */
    public void start(Allowance allowance, int count, Instant now) {
        Permits permits = take(allowance, count, now);
        if (permits.areDated()) started(allowance, permits.date(), now.toEpochMilli(), count, ANYWHERE);
    }

    private void count(Allowance allowance, long time, int count) {
        if (allowance.rate() != null) window.add(time, count, allowance.rate());
        Pace throttle = allowance.throttle();
        if (throttle != null && !Spacing.isEven(throttle)) recent.add(time, count, Spacing.shortWhile(throttle));
        // The schedule is not left behind by more than a spacing.
        if (throttle != null && Spacing.isEven(throttle)) nextUs = Math.max(nextUs, time * 1_000);
        last = Math.max(last, time);
    }

    /** Closes a permit, and returns whether that was in time. */
    private boolean close(long date) {
        OpenPermits.Known known = open.close(date);
        if (known == OpenPermits.Known.OVERDUE) {
            window.remove(latest(date));
            recent.remove(latest(date));
        }
        return known == OpenPermits.Known.OPEN;
    }

    /** A permit of this date began no job. */
    public void putBack(Allowance allowance, long date) {
        boolean inTime = close(date);
        Pace throttle = allowance.throttle();
        if (inTime && throttle != null) nextUs -= Spacing.of(throttle);
    }

    /** Lets no job start before this time, nor before an earlier one that was set. */
    public void freeze(Instant until) {
        frozenUntil = Math.max(frozenUntil, until.toEpochMilli());
    }

    /** Starts are not put off any more because a worker has said so. */
    public void unfreeze() {
        frozenUntil = 0;
    }

    /**
     * Forgets what makes no difference any more. A permit without a report for as long as it is usable counts as used.
     *
     * @param longest the longest period of a rate that counts
     */
    public void tidy(Allowance allowance, Duration longest, Instant now) {
        long millis = now.toEpochMilli();
        LongPredicate isOver = date -> latest(date) < millis;
        for (var expired = open.expire(isOver); expired != null; expired = open.expire(isOver)) {
            lastWhere = ANYWHERE;
            count(allowance, latest(expired.getKey()), expired.getValue());
        }
        open.forgetOverdue(date -> latest(date) < millis - longest.toMillis());
        window.forgetBefore(millis - longest.toMillis());
        recent.forgetBefore(millis - Spacing.SHORT_WHILE.toMillis());
    }

    /** Returns the time from which this state makes no difference. */
    public Instant quietAt(Allowance allowance) {
        long latest = open.isEmpty() ? last : Math.max(last, latest(open.lastDate()));
        Pace rate = allowance.rate();
        long rated = rate == null || latest == 0 ? 0 : latest + rate.period().toMillis();
        Pace throttle = allowance.throttle();
        long spaced = throttle == null || latest == 0 ? 0 : latest + Math.ceilDiv(Spacing.of(throttle), 1_000);
        return Instant.ofEpochMilli(Math.max(frozenUntil, Math.max(rated, spaced)));
    }

    /** Starts in the period before this time. */
    public long count(Pace rate, Instant now) {
        return window.count(now.toEpochMilli(), rate) + open.count();
    }

    /** Returns when all starts that are counted now are a period old. */
    public Instant emptyAt(Pace rate, Instant now) {
        if (!open.isEmpty()) return now.plus(rate.period());
        return window.isEmpty() ? now : Instant.ofEpochMilli(window.last()).plus(rate.period());
    }

    /** Returns when the throttle lets the next job start. */
    public Instant nextAt(Pace throttle, Instant now) {
        long next = from(throttle, now, ANYWHERE, date -> Math.max(date, now.toEpochMilli()));
        return next > now.toEpochMilli() ? Instant.ofEpochMilli(next) : now;
    }

    /** Returns the end of the freeze; null if it is over. */
    public @Nullable Instant frozenUntil(Instant now) {
        return frozenUntil > now.toEpochMilli() ? Instant.ofEpochMilli(frozenUntil) : null;
    }

    /** Returns the memory that this limiter takes. */
    public long bytes() {
        return window.bytes() + recent.bytes() + open.bytes();
    }

    /** Returns whether nothing is remembered. */
    public boolean isNew() {
        return window.isEmpty()
                && recent.isEmpty()
                && open.isEmpty()
                && last == 0
                && nextUs == 0
                && frozenUntil == 0
                && awaitedUs == 0;
    }

    public void write(BinaryOut out) {
        out.u8(VERSION);
        window.write(out);
        recent.write(out);
        open.write(out);
        out.number(last).signed(lastWhere).signed(nextUs).number(frozenUntil).number(awaitedUs);
    }

    public static Limiter read(BinaryIn in) {
        in.version(VERSION, () -> "a limiter");
        Limiter limiter = new Limiter();
        limiter.window = Window.read(in);
        limiter.recent = Window.read(in);
        limiter.open = OpenPermits.read(in);
        limiter.last = in.number();
        limiter.lastWhere = (int) in.signed();
        limiter.nextUs = in.signed();
        limiter.frozenUntil = in.number();
        limiter.awaitedUs = in.number();
        return limiter;
    }
}
