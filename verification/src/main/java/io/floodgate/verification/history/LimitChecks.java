package io.floodgate.verification.history;

import io.floodgate.topics.limit.Pace;
import io.floodgate.verification.history.LimitCourse.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What must hold for the starts under each limit. */
final class LimitChecks {
    static final Check CONCURRENCY_HOLDS =
            new Check("no key ever has more active jobs than its concurrency", LimitChecks::concurrencyHolds);

    static final Check RATES_HOLD = new Check(
            "no interval of one period, wherever it begins, has more starts of a key than its rate, and those under a throttle"
                    + " are spaced",
            LimitChecks::ratesHold);

    static final Check STARTS_FOLLOW_PERMITS = new Check(
            "every start of a job whose starts are limited comes after its permit, and at most 5 s later",
            LimitChecks::startsFollowPermits);

    static final Check NO_PERMIT_LEAKS = new Check(
            "when all is quiet no key has a permit left that is in use, and no job waits for one",
            LimitChecks::noPermitLeaks);

    /** @param change one more, or one less */
    private record Change(Instant at, int change, String job) {}

    /** From this spacing on, starts under a throttle are spaced one by one. */
    private static final Duration EVEN = Duration.ofMillis(20);

    /** Starts of a shorter spacing are counted over this time. */
    private static final Duration SHORT_WHILE = Duration.ofMillis(250);

    private static final int MOST_SPACINGS = 50;

    /** How long permits are on their way at the most, and are kept. */
    private static final Duration LATEST = Duration.ofSeconds(5);

    private LimitChecks() {}

    private static void concurrencyHolds(History history, List<Violation> found) {
        for (LimitCourse limit : history.limits()) {
            Long most = limit.allowance().concurrency();
            if (most != null) concurrencyHolds(limit, most, found);
        }
    }

    private static void concurrencyHolds(LimitCourse limit, long most, List<Violation> found) {
        long running = 0;
        for (Change change : changes(limit)) {
            running += change.change;
            if (change.change > 0 && running > most)
                found.add(new Violation(
                        change.job,
                        "with it %d jobs of key %s run, where %d may".formatted(running, limit.key(), most)));
        }
    }

    /** In the order of time; what ends at the same millisecond has made room. */
    private static List<Change> changes(LimitCourse limit) {
        List<Change> changes = new ArrayList<>();
        for (Run run : limit.runs()) {
            changes.add(new Change(run.start(), 1, run.job()));
            if (run.end() != null) changes.add(new Change(run.end(), -1, run.job()));
        }
        changes.sort(Comparator.comparing(Change::at).thenComparingInt(Change::change));
        return changes;
    }

    /** Goes by the times of starts: they are what a downstream sees. */
    private static void ratesHold(History history, List<Violation> found) {
        for (LimitCourse limit : history.limits()) {
            List<Run> runs = limit.runs().stream()
                    .sorted((one, other) -> one.start().compareTo(other.start()))
                    .toList();
            Pace rate = limit.allowance().rate();
            Pace throttle = limit.allowance().throttle();
            if (rate != null) rateHolds(limit.key(), runs, rate.starts(), rate.period(), found);
            if (throttle != null) throttleHolds(limit.key(), runs, throttle, found);
        }
    }

    private static void throttleHolds(String key, List<Run> runs, Pace throttle, List<Violation> found) {
        Duration spacing = throttle.period().dividedBy(throttle.starts());
        if (spacing.compareTo(EVEN) < 0) {
            rateHolds(key, runs, SHORT_WHILE.dividedBy(spacing) + 1, SHORT_WHILE, found);
            return;
        }
        rateHolds(key, runs, 1, spacing.dividedBy(2), found);
        for (int n = 1; n <= MOST_SPACINGS; n++) rateHolds(key, runs, n + 1L, spacing.multipliedBy(n), found);
    }

    private static void rateHolds(String key, List<Run> runs, long most, Duration period, List<Violation> found) {
        for (int i = (int) most; i < runs.size(); i++) {
            Instant first = runs.get(i - (int) most).start();
            Duration span = Duration.between(first, runs.get(i).start());
            if (span.toMillis() < period.toMillis())
                found.add(new Violation(
                        runs.get(i).job(),
                        "with it key %s has %d starts within %s, where %d may be in %s"
                                .formatted(key, most + 1, span, most, period)));
        }
    }

    private static void startsFollowPermits(History history, List<Violation> found) {
        for (LimitCourse limit : history.limits())
            if (limit.allowance().isPaced())
                for (Run run : limit.runs()) {
                    Duration late = Duration.between(run.permit(), run.start());
                    if (late.isNegative() || late.compareTo(LATEST) > 0)
                        found.add(new Violation(
                                run.job(),
                                "it started %d ms after its permit of key %s".formatted(late.toMillis(), limit.key())));
                }
    }

    private static void noPermitLeaks(History history, List<Violation> found) {
        for (LimitCourse limit : history.limits())
            if (limit.active() > 0 || limit.waiting() > 0)
                found.add(new Violation(
                        limit.key(),
                        "%d jobs of the key are said to run, %d to wait".formatted(limit.active(), limit.waiting())));
    }
}
