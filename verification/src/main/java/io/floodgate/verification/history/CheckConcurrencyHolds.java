package io.floodgate.verification.history;

import io.floodgate.verification.history.LimitCourse.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

final class CheckConcurrencyHolds implements Check {
    /** @param change one more, or one less */
    private record Change(Instant at, int change, String job) {}

    @Override
    public String claim() {
        return "no key ever has more active jobs than its concurrency";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (LimitCourse limit : history.limits()) {
            Long most = limit.allowance().concurrency();
            if (most != null) check(limit, most, found);
        }
        return found;
    }

    private static void check(LimitCourse limit, long most, List<Violation> found) {
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
}
