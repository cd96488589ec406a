package io.floodgate.verification.history;

import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import io.floodgate.verification.history.LimitCourse.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the history of a rate limit for a test: times in milliseconds. */
final class LimitStory {
    private final Allowance allowance;
    private final List<Run> runs = new ArrayList<>();
    private long active;
    private long waiting;

    /**
     * @param rate starts in a second; 0 for any number
     * @param spacing of starts under a throttle; 0 for none
     */
    LimitStory(@Nullable Long concurrency, long rate, long spacing) {
        allowance = new Allowance(
                concurrency,
                rate == 0 ? null : new Pace(rate, Duration.ofSeconds(1)),
                spacing == 0 ? null : new Pace(1, Duration.ofMillis(spacing)));
    }

    LimitStory run(String job, long permit, long late, long end) {
        runs.add(new Run(job, at(permit), at(permit + late), at(end)));
        return this;
    }

    LimitStory left(long activeJobs, long waitingJobs) {
        active = activeJobs;
        waiting = waitingJobs;
        return this;
    }

    private static Instant at(long millis) {
        return Instant.ofEpochSecond(1_000).plusMillis(millis);
    }

    History history() {
        LimitCourse limit = new LimitCourse("k", allowance, runs, active, waiting);
        return new History(List.of(), List.of(), Map.of(), List.of(), List.of(limit));
    }
}
