package io.floodgate.verification.limits;

import io.floodgate.topics.limit.Pace;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** What a run of the limits test has found. */
final class LimitsReport {
    /** Of each limit, when nothing was killed. */
    private static final double DELIVERED_AT_LEAST = 0.95;

    /** Of {@code started_at}, when the answer arrives, at the 99th percentile. */
    private static final long AGE_AT_MOST_MS = 50;

    private record Line(
            LimitedKey key, int starts, String most, String gap, double delivered, List<String> violations) {}

    private final List<Line> lines = new ArrayList<>();
    private final boolean undisturbed;
    private final long[] ages;
    private final long warm;
    private final long end;

    /**
     * @param undisturbed nothing was killed, so that also what is delivered, and how soon, is judged
     * @param ages sorted
     * @param warm from when on that is judged, in milliseconds since the epoch
     * @param end of the run
     */
    LimitsReport(boolean undisturbed, long[] ages, long warm, long end) {
        this.undisturbed = undisturbed;
        this.ages = ages;
        this.warm = warm;
        this.end = end;
    }

    /** @param starts sorted */
    void add(LimitedKey key, boolean onePartition, long[] starts) {
        List<String> violations = new ArrayList<>(StartsJudge.violations(key.allowance(), onePartition, starts));
        double delivered = StartsJudge.delivered(key.allowance(), starts, warm, end);
        if (undisturbed && delivered < DELIVERED_AT_LEAST)
            violations.add("%.1f%% delivered, %.0f%% required".formatted(100 * delivered, 100 * DELIVERED_AT_LEAST));
        Pace rate = key.allowance().rate();
        Pace throttle = key.allowance().throttle();
        String most =
                rate == null ? "-" : StartsJudge.most(starts, rate.period().toMillis()) + " of " + rate.starts();
        String gap = throttle == null
                ? "-"
                : "%d of %.0f ms"
                        .formatted(
                                StartsJudge.leastGap(starts),
                                throttle.period().toMillis() / (double) throttle.starts());
        lines.add(new Line(key, starts.length, most, gap, delivered, violations));
    }

    boolean passed() {
        return lines.stream().allMatch(line -> line.violations.isEmpty()) && isPrompt();
    }

    int starts() {
        return lines.stream().mapToInt(Line::starts).sum();
    }

    /** Whether limits were kept; what was delivered, and how soon, depends on the machine as well. */
    List<String> exceeded() {
        return lines.stream()
                .flatMap(line -> line.violations.stream()
                        .filter(text -> !text.contains("delivered"))
                        .map(text -> line.key.name() + ": " + text))
                .toList();
    }

    private boolean isPrompt() {
        return !undisturbed || percentile(99) <= AGE_AT_MOST_MS;
    }

    private long percentile(int percent) {
        return ages.length == 0 ? 0 : ages[Math.min(ages.length - 1, ages.length * percent / 100)];
    }

    void print(PrintStream out) {
        out.printf("%-14s %8s %14s %14s %10s%n", "key", "starts", "most / period", "least gap", "delivered");
        for (Line line : lines) {
            out.printf(
                    "%-14s %8d %14s %14s %9.1f%%  %s%n",
                    line.key.name(),
                    line.starts,
                    line.most,
                    line.gap,
                    100 * line.delivered,
                    line.violations.isEmpty() ? "ok" : "BROKEN: " + String.join("; ", line.violations));
        }
        out.printf(
                "started_at when the answer arrives: p50 %d ms, p99 %d ms, at most %d ms old%s%n",
                percentile(50),
                percentile(99),
                ages.length == 0 ? 0 : ages[ages.length - 1],
                isPrompt() ? "" : "  BROKEN: p99 of " + AGE_AT_MOST_MS + " ms required");
        out.println(passed() ? "PASSED" : "FAILED");
    }
}
