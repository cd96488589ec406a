package io.floodgate.verification.history;

import io.floodgate.verification.history.LimitCourse.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class CheckStartsFollowPermits implements Check {
    /** How long a permit is good, and, under a throttle, by how much its date may have been missed. */
    private static final Duration LATEST = Duration.ofMillis(250 + 25);

    @Override
    public String claim() {
        return "every start of a job with a rate limit comes after its permit, and at most 250 ms later";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (LimitCourse limit : history.limits())
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
