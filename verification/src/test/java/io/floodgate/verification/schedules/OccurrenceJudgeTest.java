package io.floodgate.verification.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.schedules.ScheduleCourse.JobStep;
import io.floodgate.verification.schedules.ScheduleCourse.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A schedule was registered at noon and a half second, and paused ten seconds later. */
class OccurrenceJudgeTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00.500Z");

    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<JobStep> steps = new ArrayList<>();
    private boolean overlaps;

    private static Instant second(int number) {
        return START.minusMillis(500).plusSeconds(number);
    }

    private void runs(int second) {
        runs(second, "job-" + second);
    }

    private void runs(int second, String job) {
        outcomes.add(new Outcome(second(second), job, null, 1, second(second)));
        steps.add(new JobStep(job, "available"));
        steps.add(new JobStep(job, "active"));
        steps.add(new JobStep(job, "completed"));
    }

    private void skips(int last, int count) {
        outcomes.add(new Outcome(second(last), null, "missed", count, second(last)));
    }

    /** Nothing is wrong with it. */
    private void all() {
        for (int second = 1; second <= 4; second++) runs(second);
        skips(8, 4);
        runs(9);
        skips(10, 1);
    }

    private ScheduleCourse course() {
        return new ScheduleCourse("s", overlaps, START, START.plusSeconds(10), outcomes, steps);
    }

    private List<String> broken() {
        List<String> broken = new ArrayList<>(OccurrenceJudge.outcomes(course()));
        broken.addAll(OccurrenceJudge.runs(course()));
        broken.addAll(OccurrenceJudge.overlaps(course()));
        return broken;
    }

    @Test
    void has_nothing_against_what_is_right() {
        all();
        assertThat(broken()).isEmpty();
    }

    @Test
    void finds_an_occurrence_without_outcome() {
        all();
        outcomes.removeIf(outcome -> outcome.occurrence().equals(second(8)));
        skips(8, 3);
        assertThat(broken()).containsExactly("s: the occurrence of 2026-01-01T12:00:05Z has no outcome");
    }

    @Test
    void finds_an_occurrence_with_two_outcomes() {
        all();
        runs(6, "another");
        assertThat(broken()).containsExactly("s: the occurrence of 2026-01-01T12:00:06Z has 2 outcomes");
    }

    @Test
    void finds_what_was_not_due() {
        all();
        skips(11, 1);
        assertThat(broken()).containsExactly("s: it was not due at 2026-01-01T12:00:11Z");
    }

    @Test
    void finds_a_job_of_two_occurrences() {
        all();
        outcomes.removeIf(outcome -> outcome.occurrence().equals(second(10)));
        outcomes.add(new Outcome(second(10), "job-9", null, 1, second(10)));
        assertThat(broken()).containsExactly("s: job job-9 is run for two occurrences");
    }

    @Test
    void finds_jobs_that_no_occurrence_has_made_and_jobs_that_never_came() {
        all();
        steps.removeIf(step -> step.job().equals("job-3"));
        steps.add(new JobStep("stray", "available"));
        steps.add(new JobStep("stray", "completed"));
        assertThat(broken())
                .containsExactly("s: no occurrence has made job stray", "s: job job-3 was never in its queue");
    }

    @Test
    void finds_what_was_decided_late_by_the_first_of_several() {
        all();
        assertThat(OccurrenceJudge.lateness(course(), Duration.ofSeconds(3))).isEmpty();
        assertThat(OccurrenceJudge.lateness(course(), Duration.ofMillis(2_999)))
                .containsExactly("s: what was due at 2026-01-01T12:00:05Z was decided at 2026-01-01T12:00:08Z");
    }

    @Test
    void finds_runs_that_overlap_unless_they_may() {
        all();
        steps.add(0, new JobStep("job-2", "available"));
        assertThat(broken()).singleElement().asString().contains("[job-1, job-2]");
        overlaps = true;
        assertThat(broken()).isEmpty();
    }
}
