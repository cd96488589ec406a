package io.floodgate.verification.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The checks of tenants' bounds prove themselves on histories that break them. */
class TenantChecksTest {
    private static int violations(Check check, Story story) {
        return check.violations(story.history()).size();
    }

    @Test
    void one_job_too_many_is_found_in_the_events_and_in_the_answers() {
        Story full = new Story().tenantBounded(2, 2).ofTenant("j1", "j2");
        assertThat(violations(TenantChecks.NEVER_MORE_JOBS, full)).isZero();
        Story ends = full.event("job.completed", "j1", "completed").ofTenant("j3");
        assertThat(violations(TenantChecks.NEVER_MORE_JOBS, ends)).isZero();
        assertThat(violations(TenantChecks.NEVER_MORE_JOBS, ends.ofTenant("j4")))
                .isOne();

        Story answered = new Story().tenantBounded(2, 2).ofTenant("j1", "j2", "j3");
        answered.acked("w", "j1", 1, Answer.OK).acked("w", "j2", 1, Answer.OK).acked("w", "j3", 1, Answer.OK);
        assertThat(violations(TenantChecks.NEVER_MORE_JOBS, answered)).isEqualTo(2);
    }

    @Test
    void one_run_too_many_is_found_in_the_events_and_in_the_answers() {
        Story story = new Story().tenantBounded(9, 1).ofTenant("j1", "j2").started("j1", 1);
        assertThat(violations(TenantChecks.NEVER_MORE_RUNS, story)).isZero();
        assertThat(violations(TenantChecks.NEVER_MORE_RUNS, story.started("j2", 1)))
                .isOne();

        Story answered = new Story().tenantBounded(9, 1).ofTenant("j1", "j2");
        answered.fetched("v", "j1", 1).fetched("w", "j2", 1).acked("v", "j1", 1, Answer.OK);
        answered.acked("w", "j2", 1, Answer.OK);
        assertThat(violations(TenantChecks.NEVER_MORE_RUNS, answered)).isOne();
    }

    @Test
    void a_bound_that_is_never_reached_is_found() {
        Story story = new Story().tenantBounded(2, 1).ofTenant("j1");
        assertThat(violations(TenantChecks.BOUNDS_ARE_USED, story)).isEqualTo(2);
        assertThat(violations(TenantChecks.BOUNDS_ARE_USED, story.ofTenant("j2").started("j1", 1)))
                .isZero();
        assertThat(violations(TenantChecks.BOUNDS_ARE_USED, new Story().enqueued("j1", Answer.OK)))
                .isZero();
    }
}
