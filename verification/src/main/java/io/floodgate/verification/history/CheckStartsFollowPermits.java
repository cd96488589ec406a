package io.floodgate.verification.history;

import io.floodgate.verification.history.LimitCourse.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class CheckStartsFollowPermits implements Check {
    /** How long permits are on their way at the most, and are kept. */
    private static final Duration LATEST = Duration.ofSeconds(5);

    @Override
    public String claim() {
        return "every start of a job whose starts are limited comes after its permit, and at most 5 s later";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (LimitCourse limit : history.limits())
            if (limit.allowance().isPaced())
                for (Run run : limit.runs()) {
                    Duration late = Duration.between(run.permit(), run.start());
                    if (late.isNegative() || late.compareTo(LATEST) > 0)
                        found.add(new Violation(
                                run.job(),
                                "it started %d ms after its permit of key %s".formatted(late.toMillis(), limit.key())));
                }
        return found;
    }
}
