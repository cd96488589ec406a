package io.floodgate.verification.history;

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
            long[] starts = limit.runs().stream()
                    .mapToLong(run -> run.start().toEpochMilli())
                    .toArray();
            for (String what : StartsJudge.violations(limit.allowance(), false, starts))
                found.add(new Violation(limit.key(), what));
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
