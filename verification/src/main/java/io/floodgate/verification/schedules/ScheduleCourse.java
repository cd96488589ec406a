package io.floodgate.verification.schedules;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a schedule that is due every second.
 *
 * @param overlaps whether its runs may overlap
 * @param registered occurrences after this time count
 * @param paused and up to this one
 * @param outcomes as its events say, in any order
 * @param steps of its jobs, in the order of their queue's partition
 */
record ScheduleCourse(
        String name,
        boolean overlaps,
        Instant registered,
        Instant paused,
        List<Outcome> outcomes,
        List<JobStep> steps) {
    /**
     * What an event says.
     *
     * @param occurrence when it was due; of several that were skipped together, the last one
     * @param job null if it was skipped
     * @param decided by the clock of the brokers
     */
    record Outcome(
            Instant occurrence,
            @Nullable String job,
            @Nullable String reason,
            int count,
            Instant decided) {
        /** Of the first occurrence that it is about. */
        Duration lateness() {
            return Duration.between(occurrence, decided).plusSeconds(Math.max(1, count) - 1);
        }
    }

    /** A job is in this state now. */
    record JobStep(String job, String state) {}

    ScheduleCourse {
        outcomes = List.copyOf(outcomes);
        steps = List.copyOf(steps);
    }
}
