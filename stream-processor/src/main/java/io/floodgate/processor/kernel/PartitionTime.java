package io.floodgate.processor.kernel;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time of a partition: the append time of its records, never going back, and not to be carried off by a clock that is wrong.
 *
 * <p>A broker's clock that steps back leaves the partition's time ahead of it: from there on it advances at half the pace of the
 * append times until they have caught up. So leases and delays end late rather than early, and a clock that was an hour ahead
 * is forgotten after two. A record whose sender's clock contradicts the append time does not take the partition's time along:
 * one of the far future would end every lease at once, and stop time for years. Such append times only say how much time has
 * passed since the one before, so that nothing stands still while a clock is wrong, and nothing is due all at once when it is
 * set right. A time that its producer made up says nothing.
 */
public final class PartitionTime {
    /** Instead of the append time, where a topic does not have its records stamped. */
    public static final Instant UNKNOWN = Instant.EPOCH;

    /** Clocks of brokers differ by so much without being wrong. */
    private static final Duration STEP = Duration.ofSeconds(10);

    /**
     * Longest difference of clocks that is believed: no record is under way for longer, and no clock that is maintained
     * is off by more.
     */
    private static final Duration CONTRADICTION = Duration.ofMinutes(10);

    private Instant now = Instant.EPOCH;
    private Duration skew = Duration.ZERO;

    /** The append time of the record before, if it was not believed. */
    private @Nullable Instant doubtful;

    /** The last record was appended earlier than one before it, by less than a step: no time has passed. */
    private boolean standsStill;

    void begin(Instant time, Duration ahead, @Nullable Instant unbelieved) {
        now = time;
        skew = ahead;
        doubtful = unbelieved;
    }

    public Instant now() {
        return now;
    }

    /** Returns by how much the partition's time is ahead of the append times. */
    public Duration skew() {
        return skew;
    }

    /** The time by the clocks of the brokers, as far as they are believed: behind that of the partition while these have stepped back. */
    public Instant wallTime() {
        return now.minus(skew);
    }

    /** The append time of the record before; null if it was believed. */
    @Nullable
    Instant doubtful() {
        return doubtful;
    }

    /**
     * Advances to the time of a record.
     *
     * @param sent by the sender's clock; null if it does not say
     * @param doubted append times have been wrong before, and no operator has looked into it yet
     * @return what is wrong with the clocks; null when nothing is
     */
    public @Nullable String advance(Instant appended, @Nullable Instant sent, boolean doubted) {
        standsStill = false;
        if (appended.equals(UNKNOWN))
            return "A record has the time of its producer instead of the broker's: set message.timestamp.type of ojs.commands to LogAppendTime.";
        if (sent != null && isFar(appended, sent)) {
            pass(appended);
            return "A record was appended at %s, but sent at %s by its sender's clock.".formatted(appended, sent);
        }
        boolean caughtUp = !appended.isBefore(now);
        Instant time = caughtUp ? appended : appended.plus(skew);
        if (sent == null && doubted && time.isAfter(now.plus(CONTRADICTION))) {
            pass(appended);
            return null;
        }
        doubtful = null;
        if (caughtUp) {
            now = time;
            skew = Duration.ZERO;
        } else if (!time.isBefore(now)) {
            slew(appended);
        } else if (time.isBefore(now.minus(STEP))) {
            String found = "The append time has stepped back from %s to %s.".formatted(wallTime(), appended);
            skew = Duration.between(appended, now);
            return found;
        } else {
            standsStill = true;
        }
        return null;
    }

    /** Lets as much time pass as a clock that is not believed says, unless it was set since the record before. */
    private void pass(Instant appended) {
        Duration passed = Duration.between(doubtful == null ? wallTime() : doubtful, appended);
        if (!passed.isNegative() && passed.compareTo(STEP) <= 0) now = now.plus(passed);
        doubtful = appended;
    }

    /** Half of the milliseconds since the record before, however many records they are spread over. */
    private void slew(Instant appended) {
        Instant last = wallTime();
        boolean isSetRight = appended.isAfter(last.plus(STEP)) && !appended.isBefore(now.minus(STEP));
        if (!isSetRight) now = now.plusMillis(appended.toEpochMilli() / 2 - last.toEpochMilli() / 2);
        skew = Duration.between(appended, now);
    }

    /** Returns whether less time passes than by the clocks of the brokers, since these have stepped back. */
    boolean isSlow() {
        return standsStill || (doubtful == null && !skew.isZero());
    }

    /** Returns the append time at which the partition's time will be there. */
    public Instant appendedAt(Instant then) {
        if (doubtful != null) return doubtful.plus(Duration.between(now, then));
        if (skew.isZero()) return then;
        Instant slewed = wallTime().plus(Duration.between(now, then).multipliedBy(2));
        return slewed.isBefore(then) ? slewed : then;
    }

    private static boolean isFar(Instant one, Instant other) {
        return Duration.between(one, other).abs().compareTo(CONTRADICTION) > 0;
    }
}
