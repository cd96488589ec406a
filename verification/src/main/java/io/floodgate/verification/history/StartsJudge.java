package io.floodgate.verification.history;

import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Whether starts keep to a limit, whatever the server believes of itself.
 *
 * <p>A rate: no interval of one period holds more starts than the rate. A throttle whose spacing (period / limit) is 20
 * ms or more: within one partition no two starts are closer than 90% of it, otherwise no two are closer than half of
 * it, and n spacings hold at most n + 1 starts. A shorter spacing cannot be seen in {@code started_at}, which is in
 * milliseconds: there, 250 ms hold at most what the throttle permits in them, and one more.
 */
public final class StartsJudge {
    private static final Duration EVEN_FROM = Duration.ofMillis(20);
    private static final long UNEVEN_WINDOW_MS = 250;

    /** {@code started_at} is cut off at the millisecond. */
    private static final long CUT_OFF_US = 1_000;

    private StartsJudge() {}

    /**
     * @param onePartition whether key and jobs share a partition
     * @param starts in milliseconds, in any order
     * @return what does not hold, in words
     */
    public static List<String> violations(Allowance allowance, boolean onePartition, long[] starts) {
        long[] sorted = LongStream.of(starts).sorted().toArray();
        List<String> found = new ArrayList<>();
        Pace rate = allowance.rate();
        if (rate != null) window(sorted, rate.starts(), rate.period().toMillis(), found);
        Pace throttle = allowance.throttle();
        if (throttle == null) return found;
        long spacingUs = throttle.period().toNanos() / 1_000 / throttle.starts();
        if (spacingUs >= EVEN_FROM.toNanos() / 1_000) {
            closest(sorted, spacingUs, onePartition ? 90 : 50, found);
            drift(sorted, spacingUs, found);
        } else {
            window(sorted, UNEVEN_WINDOW_MS * 1_000 / spacingUs + 1, UNEVEN_WINDOW_MS, found);
        }
        return found;
    }

    /** The most starts that any interval of this length holds. */
    public static long most(long[] sorted, long periodMs) {
        int first = 0;
        int most = 0;
        for (int last = 0; last < sorted.length; last++) {
            while (sorted[last] - sorted[first] >= periodMs) first++;
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    /** The shortest time between two starts; the largest there is when there are fewer than two. */
    public static long leastGap(long[] sorted) {
        long least = Long.MAX_VALUE;
        for (int i = 1; i < sorted.length; i++) least = Math.min(least, sorted[i] - sorted[i - 1]);
        return least;
    }

    /**
     * How much of what the limit permits has started, from the first start that lies in this interval, in whole periods; 0 if
     * none does, or if the interval is shorter than a period.
     */
    public static double delivered(Allowance allowance, long[] starts, long from, long to) {
        long[] sorted = LongStream.of(starts)
                .filter(at -> at >= from && at < to)
                .sorted()
                .toArray();
        double least = Double.MAX_VALUE;
        if (allowance.rate() != null) least = Math.min(least, delivered(allowance.rate(), sorted, to));
        if (allowance.throttle() != null) least = Math.min(least, delivered(allowance.throttle(), sorted, to));
        return least;
    }

    private static double delivered(Pace pace, long[] sorted, long to) {
        long periodMs = pace.period().toMillis();
        if (sorted.length == 0) return 0;
        long periods = (to - sorted[0]) / periodMs;
        if (periods == 0) return 0;
        long end = sorted[0] + periods * periodMs;
        return (double) LongStream.of(sorted).filter(at -> at < end).count() / (periods * pace.starts());
    }

    private static void window(long[] sorted, long permitted, long periodMs, List<String> found) {
        long most = most(sorted, periodMs);
        if (most > permitted) found.add("%d starts within %d ms, %d permitted".formatted(most, periodMs, permitted));
    }

    private static void closest(long[] sorted, long spacingUs, int percent, List<String> found) {
        long leastMs = leastGap(sorted);
        if (leastMs == Long.MAX_VALUE) return;
        if (leastMs * 1_000 + CUT_OFF_US <= spacingUs * percent / 100)
            found.add("two starts %d ms apart, %d us required".formatted(leastMs, spacingUs * percent / 100));
    }

    /** n + 2 starts never lie within n spacings. */
    private static void drift(long[] sorted, long spacingUs, List<String> found) {
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < sorted.length; i++) {
            long lead = sorted[i] * 1_000 - i * spacingUs;
            if (latest != Long.MIN_VALUE && lead + spacingUs + CUT_OFF_US <= latest) {
                found.add("more than n + 1 starts in n spacings of %d us, up to start %d".formatted(spacingUs, i));
                return;
            }
            latest = Math.max(latest, lead);
        }
    }
}
