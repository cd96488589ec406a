package io.floodgate.verification.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.queue.KeyOrder;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The checks of order keys prove themselves on histories that break them. */
class OrderChecksTest {
    private static final KeyOrder BLOCK = KeyOrder.NONE;
    private static final KeyOrder SKIP = new KeyOrder(null, true, null);
    private static final KeyOrder AT_MOST = new KeyOrder(null, null, Duration.ofSeconds(2));

    private static void breaks(Check check, Story story) {
        assertThat(check.violations(story.history())).as(check.claim()).hasSize(1);
    }

    private static void holds(Check check, Story story) {
        assertThat(check.violations(story.history())).as(check.claim()).isEmpty();
    }

    /** Two jobs, the first of which has failed and waits for its next attempt. */
    private static Story failed(KeyOrder order) {
        return new Story().ordered(order, "j1", "j2").started("j1", 1).failed("j1");
    }

    private static Story passed(KeyOrder order) {
        return failed(order).passed("j1", "on_failure");
    }

    @Nested
    class OneAtATime {
        private final Check check = OrderChecks.ONE_AT_A_TIME;

        @Test
        void breaks_when_the_next_one_starts_while_one_runs() {
            breaks(
                    check,
                    new Story().ordered(BLOCK, "j1", "j2").started("j1", 1).started("j2", 1));
        }

        @Test
        void breaks_when_a_passed_one_comes_back_while_another_one_runs() {
            breaks(
                    check,
                    passed(SKIP)
                            .started("j2", 1)
                            .event("job.available", "j1", "available")
                            .started("j1", 2));
        }

        @Test
        void breaks_when_a_worker_gets_the_next_one_while_another_one_has_the_first() {
            breaks(
                    check,
                    new Story()
                            .ordered(BLOCK, "j1", "j2")
                            .fetched("w1", "j1", 1)
                            .fetched("w2", "j2", 1)
                            .acked("w1", "j1", 1, Answer.OK));
        }

        @Test
        void allows_the_next_one_after_any_end_of_a_run() {
            for (String end : new String[] {"completed", "discarded", "cancelled", "available", "retryable"})
                holds(
                        check,
                        new Story()
                                .ordered(BLOCK, "j1", "j2")
                                .started("j1", 1)
                                .event("job." + end, "j1", end)
                                .started("j2", 1));
        }

        @Test
        void allows_jobs_of_other_keys_and_one_whose_worker_may_have_lost_it() {
            holds(
                    check,
                    new Story()
                            .ordered(BLOCK, "j1")
                            .orderedAs("other", BLOCK, "j2")
                            .started("j1", 1)
                            .started("j2", 1));
            holds(
                    check,
                    new Story()
                            .ordered(BLOCK, "j1", "j2")
                            .fetched("w1", "j1", 1)
                            .fetched("w2", "j2", 1)
                            .acked("w1", "j1", 1, Answer.REJECTED));
        }
    }

    @Nested
    class InOrder {
        private final Check check = OrderChecks.IN_ORDER;

        @Test
        void breaks_when_a_later_one_starts_first() {
            breaks(check, new Story().ordered(BLOCK, "j1", "j2").started("j2", 1));
        }

        @Test
        void breaks_when_one_that_has_failed_or_lost_its_lease_is_not_waited_for() {
            breaks(check, failed(BLOCK).started("j2", 1));
            breaks(
                    check,
                    new Story()
                            .ordered(BLOCK, "j1", "j2")
                            .started("j1", 1)
                            .event("job.available", "j1", "available")
                            .started("j2", 1));
        }

        @Test
        void breaks_when_a_passed_one_is_back_and_does_not_come_first() {
            breaks(check, passed(SKIP).event("job.available", "j1", "available").started("j2", 1));
        }

        @Test
        void breaks_when_workers_get_a_later_one_first() {
            breaks(
                    check,
                    new Story().ordered(BLOCK, "j1", "j2").fetched("w", "j2", 1).fetched("w", "j1", 1));
        }

        @Test
        void allows_those_that_are_passed_and_those_that_have_ended() {
            holds(check, passed(SKIP).started("j2", 1));
            holds(
                    check,
                    new Story()
                            .ordered(BLOCK, "j1", "j2")
                            .event("job.cancelled", "j1", "cancelled")
                            .started("j2", 1));
            holds(
                    check,
                    new Story().ordered(BLOCK, "j2", "j1").fetched("w", "j2", 1).fetched("w", "j1", 1));
        }
    }

    @Nested
    class PassedAsConfigured {
        private final Check check = OrderChecks.PASSED_AS_CONFIGURED;

        @Test
        void breaks_when_a_queue_that_waits_does_not() {
            breaks(check, passed(BLOCK));
        }

        @Test
        void breaks_when_a_queue_that_skips_waits_or_passes_what_has_not_failed() {
            breaks(check, failed(SKIP).event("job.available", "j1", "available"));
            breaks(check, new Story().ordered(SKIP, "j1").passed("j1", "on_failure"));
        }

        @Test
        void allows_what_the_queue_says() {
            holds(check, failed(BLOCK));
            holds(check, passed(SKIP));
            holds(check, failed(AT_MOST).event("job.available", "j1", "available"));
        }
    }

    @Nested
    class BlockedAtMost {
        private final Check check = OrderChecks.PASSED_AS_CONFIGURED;

        /** Another key of the queue has events in each of these seconds. */
        private static Story lively(int seconds) {
            Story story = failed(AT_MOST).after(2).orderedAs("other", AT_MOST, "j9");
            for (int i = 0; i < seconds; i++) story.after(1).event("job.heartbeat", "j9", "active");
            return story;
        }

        @Test
        void breaks_when_a_job_is_passed_before_the_time_or_for_no_reason() {
            breaks(check, failed(AT_MOST).after(1).passed("j1", "block_at_most"));
            breaks(check, failed(AT_MOST).after(2).passed("j1", "else"));
        }

        @Test
        void breaks_when_a_key_is_freed_long_after_the_time_while_its_queue_is_alive() {
            breaks(check, lively(5).after(1).passed("j1", "block_at_most"));
            holds(check, lively(1).after(60).passed("j1", "block_at_most"));
            holds(check, failed(AT_MOST).after(2).passed("j1", "block_at_most"));
        }

        @Test
        void breaks_when_a_job_that_fails_after_the_time_keeps_its_key_back() {
            Story again = failed(AT_MOST)
                    .event("job.available", "j1", "available")
                    .after(3)
                    .started("j1", 2)
                    .failed("j1");
            holds(check, again.passed("j1", "on_failure"));
            breaks(
                    check,
                    failed(AT_MOST)
                            .event("job.available", "j1", "available")
                            .after(3)
                            .started("j1", 2)
                            .failed("j1")
                            .event("job.available", "j1", "available"));
        }
    }

    @Test
    void a_job_may_be_passed_if_a_client_has_asked_for_it() {
        Story asked = failed(BLOCK).skip("j1", Answer.UNKNOWN).passed("j1", "requested");
        holds(OrderChecks.PASSED_AS_CONFIGURED, asked);
        holds(OrderChecks.IN_ORDER, asked.started("j2", 1));
        breaks(
                OrderChecks.PASSED_AS_CONFIGURED,
                failed(BLOCK).skip("j1", Answer.REJECTED).passed("j1", "requested"));
    }

    @Test
    void a_job_that_is_left_breaks_that_none_stands_still() {
        breaks(OrderChecks.NONE_STANDS_STILL, new Story().ordered(BLOCK, "j1").ended("j1", "available"));
        holds(OrderChecks.NONE_STANDS_STILL, new Story().ordered(BLOCK, "j1").ended("j1", "discarded"));
    }

    @Test
    void a_verdict_says_how_much_there_was_to_go_wrong() {
        Story story = passed(SKIP).started("j2", 1);
        assertThat(OrderLines.of(story.history()).words())
                .hasValue(
                        "2 starts of jobs of 1 order keys, 1 of them before others that waited; jobs passed: {on_failure=1};"
                                + " up to 2 were in one line");
    }
}
