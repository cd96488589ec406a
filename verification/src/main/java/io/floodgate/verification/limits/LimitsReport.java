package io.floodgate.verification.limits;

import io.floodgate.topics.limit.Pace;
import io.floodgate.verification.crash.CrashReport;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.history.StartsJudge;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What a run of the limits test has found: a line for each key, and what holds. */
final class LimitsReport {
    /** Of each limit, when nothing was killed. */
    private static final double DELIVERED_AT_LEAST = 0.95;

    /** Of {@code started_at}, when the answer arrives, at the 99th percentile. */
    private static final long AGE_AT_MOST_MS = 50;

    private final PrintStream out;
    private final List<String> exceeded = new ArrayList<>();
    private final List<String> undelivered = new ArrayList<>();
    private long starts;

    LimitsReport(PrintStream out) {
        this.out = out;
        out.printf("%-14s %8s %14s %14s %10s%n", "key", "starts", "most / period", "least gap", "delivered");
    }

    /**
     * @param sorted starts
     * @param warm from when on it is judged what is delivered, in milliseconds since the epoch
     * @param end of the run
     */
    void add(LimitedKey key, boolean onePartition, long[] sorted, long warm, long end) {
        for (String what : StartsJudge.violations(key.allowance(), onePartition, sorted))
            exceeded.add(key.name() + ": " + what);
        double delivered = StartsJudge.delivered(key.allowance(), sorted, warm, end);
        if (delivered < DELIVERED_AT_LEAST) undelivered.add("%s: %.1f%%".formatted(key.name(), 100 * delivered));
        starts += sorted.length;
        Pace rate = key.allowance().rate();
        Pace throttle = key.allowance().throttle();
        out.printf(
                "%-14s %8d %14s %14s %9.1f%%%n",
                key.name(),
                sorted.length,
                rate == null ? "-" : StartsJudge.most(sorted, rate.period().toMillis()) + " of " + rate.starts(),
                throttle == null
                        ? "-"
                        : "%d of %.0f ms"
                                .formatted(
                                        StartsJudge.leastGap(sorted),
                                        throttle.period().toMillis() / (double) throttle.starts()),
                100 * delivered);
    }

    /**
     * @param undisturbed nothing was killed, so that also what is delivered, and how soon, is judged
     * @param ages of {@code started_at}, sorted
     */
    CrashReport end(boolean undisturbed, long[] ages) {
        long p99 = percentile(99, ages);
        out.printf(
                "started_at when the answer arrives: p50 %d ms, p99 %d ms, at most %d ms old%n",
                percentile(50, ages), p99, percentile(100, ages));
        List<Claim> claims = new ArrayList<>();
        claims.add(new Claim("no key has more starts than its limit permits", exceeded));
        claims.add(new Claim("jobs have started", starts > 0 ? List.of() : List.of("none has")));
        if (undisturbed) {
            claims.add(new Claim(
                    "at least %.0f%% of each limit is delivered".formatted(100 * DELIVERED_AT_LEAST), undelivered));
            claims.add(new Claim(
                    "started_at is at most %d ms old at p99".formatted(AGE_AT_MOST_MS),
                    p99 <= AGE_AT_MOST_MS ? List.of() : List.of(p99 + " ms")));
        }
        return new CrashReport(List.of(), List.of(), claims);
    }

    private static long percentile(int percent, long[] sorted) {
        return sorted.length == 0 ? 0 : sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }
}
