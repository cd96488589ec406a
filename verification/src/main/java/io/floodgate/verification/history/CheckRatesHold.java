package io.floodgate.verification.history;

import io.floodgate.topics.limit.Pace;
import io.floodgate.verification.history.LimitCourse.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Goes by the times of starts: they are what a downstream sees. */
final class CheckRatesHold implements Check {
    /** From this spacing on, starts under a throttle are spaced one by one. */
    private static final Duration EVEN = Duration.ofMillis(20);

    /** Starts of a shorter spacing are counted over this time. */
    private static final Duration SHORT_WHILE = Duration.ofMillis(250);

    private static final int MOST_SPACINGS = 50;

    @Override
    public String claim() {
        return "no interval of one period, wherever it begins, has more starts of a key than its rate, and those under a throttle"
                + " are spaced";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (LimitCourse limit : history.limits()) {
            List<Run> runs = limit.runs().stream()
                    .sorted((one, other) -> one.start().compareTo(other.start()))
                    .toList();
            Pace rate = limit.allowance().rate();
            Pace throttle = limit.allowance().throttle();
            if (rate != null) check(limit.key(), runs, rate.starts(), rate.period(), found);
            if (throttle != null) checkThrottle(limit.key(), runs, throttle, found);
        }
        return found;
    }

    private static void checkThrottle(String key, List<Run> runs, Pace throttle, List<Violation> found) {
        Duration spacing = throttle.period().dividedBy(throttle.starts());
        if (spacing.compareTo(EVEN) < 0) {
            check(key, runs, SHORT_WHILE.dividedBy(spacing) + 1, SHORT_WHILE, found);
            return;
        }
        check(key, runs, 1, spacing.dividedBy(2), found);
        for (int n = 1; n <= MOST_SPACINGS; n++) check(key, runs, n + 1L, spacing.multipliedBy(n), found);
    }

    private static void check(String key, List<Run> runs, long most, Duration period, List<Violation> found) {
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
}
