package io.floodgate.processor.kernel;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time of a partition: the append time of its records, never going back, and not to be carried off by a clock that is wrong.
 *
 * <p>A broker's clock that steps back leaves the partition's time ahead of it: from there on it advances at half the pace of the
 * append times until they have caught up. So leases and delays end late rather than early, and a clock that was an hour ahead
 * is forgotten after two. A record whose sender's clock contradicts the append time does not
 * advance the partition's time at all, and neither does one whose time its producer made up: one record of the far future would end every lease at once, and stop time for years.
 */
public final class PartitionTime {
    /** Instead of the append time, where a topic does not have its records stamped. */
    public static final Instant UNKNOWN = Instant.EPOCH;

    /** Clocks of brokers differ by so much without being wrong. */
    private static final Duration STEP = Duration.ofSeconds(10);

    /** No record is under way for longer, and no clock that is maintained is off by more. */
    private static final Duration CONTRADICTION = Duration.ofMinutes(10);

    private Instant now = Instant.EPOCH;
    private Duration skew = Duration.ZERO;

    void begin(Instant time, Duration ahead) {
        now = time;
        skew = ahead;
    }

    public Instant now() {
        return now;
    }

    /** By how much the partition's time is ahead of the append times. */
    public Duration skew() {
        return skew;
    }

    /**
     * Advances to the time of a record.
     *
     * @param sent by the sender's clock; null if it does not say
     * @param doubted append times have been wrong before, and no operator has looked into it yet
     * @return what is wrong with the clocks; null when nothing is
     */
    public @Nullable String advance(Instant appended, @Nullable Instant sent, boolean doubted) {
        if (appended.equals(UNKNOWN))
            return "A record has the time of its producer instead of the broker's: set message.timestamp.type of ojs.commands to LogAppendTime.";
        if (sent != null && isFar(appended, sent))
            return "A record was appended at %s, but sent at %s by its sender's clock.".formatted(appended, sent);
        boolean caughtUp = !appended.isBefore(now);
        Instant time = caughtUp ? appended : appended.plus(skew);
        if (sent == null && doubted && time.isAfter(now.plus(CONTRADICTION))) return null;
        if (caughtUp) {
            now = time;
            skew = Duration.ZERO;
        } else if (!time.isBefore(now)) {
            slew(appended);
        } else if (time.isBefore(now.minus(STEP))) {
            String found = "The append time has stepped back from %s to %s.".formatted(now.minus(skew), appended);
            skew = Duration.between(appended, now);
            return found;
        }
        return null;
    }

    /** Half of the milliseconds since the record before, however many records they are spread over. */
    private void slew(Instant appended) {
        long last = now.minus(skew).toEpochMilli();
        now = now.plusMillis(appended.toEpochMilli() / 2 - last / 2);
        skew = Duration.between(appended, now);
    }

    /** When append times will have brought the partition's time there. */
    public Instant appendedAt(Instant then) {
        if (skew.isZero()) return then;
        Instant slewed = now.minus(skew).plus(Duration.between(now, then).multipliedBy(2));
        return slewed.isBefore(then) ? slewed : then;
    }

    private static boolean isFar(Instant one, Instant other) {
        return Duration.between(one, other).abs().compareTo(CONTRADICTION) > 0;
    }
}
