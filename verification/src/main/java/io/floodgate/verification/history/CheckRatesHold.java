package io.floodgate.verification.history;

import io.floodgate.topics.limit.Pace;
import io.floodgate.verification.history.LimitCourse.Run;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Goes by the dates of permits: that starts follow them at once is another claim. */
final class CheckRatesHold implements Check {
    @Override
    public String claim() {
        return "no interval of one period, wherever it begins, has more starts of a key than its rate, and those under a throttle"
                + " are spaced evenly";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (LimitCourse limit : history.limits()) {
            Pace rate = limit.allowance().rate();
            Pace throttle = limit.allowance().throttle();
            if (rate != null) check(limit, rate.starts(), rate.period(), found);
            if (throttle != null) check(limit, 1, throttle.period().dividedBy(throttle.starts()), found);
        }
        return found;
    }

    private static void check(LimitCourse limit, long most, Duration period, List<Violation> found) {
        List<Run> runs =
                limit.runs().stream().sorted(Comparator.comparing(Run::permit)).toList();
        for (int i = (int) most; i < runs.size(); i++) {
            Duration span = Duration.between(
                    runs.get(i - (int) most).permit(), runs.get(i).permit());
            if (span.compareTo(period.truncatedTo(ChronoUnit.MICROS)) < 0)
                found.add(new Violation(
                        runs.get(i).job(),
                        "with it key %s has %d starts within %s, where %d may be in %s"
                                .formatted(limit.key(), most + 1, span, most, period)));
        }
    }
}
