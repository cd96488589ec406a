package io.floodgate.verification.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A check proves itself on histories that break it. */
class ChecksTest {
    static Stream<Check> checks() {
        return Check.all().stream();
    }

    @ParameterizedTest
    @MethodSource("checks")
    void a_good_life_breaks_nothing(Check check) {
        assertThat(check.violations(Story.ofAGoodLife().history())).isEmpty();
    }

    @Nested
    class NothingLost {
        private final Check check = JobChecks.NOTHING_LOST;

        @Test
        void breaks_when_an_answered_enqueue_is_gone() {
            breaks(check, new Story().enqueued("j1", Answer.OK).gone("j1"));
        }

        @Test
        void breaks_when_no_client_has_looked() {
            breaks(check, new Story().enqueued("j1", Answer.OK));
        }

        @Test
        void allows_an_enqueue_without_an_answer_both_ways() {
            holds(check, new Story().enqueued("j1", Answer.UNKNOWN).gone("j1"));
            holds(check, new Story().enqueued("j1", Answer.UNKNOWN).ended("j1", "available"));
        }
    }

    @Nested
    class NothingStranded {
        private final Check check = JobChecks.NOTHING_STRANDED;

        @Test
        void breaks_when_a_job_is_active_and_every_worker_idle() {
            breaks(check, new Story().enqueued("j1", Answer.OK).ended("j1", "active"));
        }

        @Test
        void allows_a_job_that_waits() {
            holds(check, new Story().enqueued("j1", Answer.OK).ended("j1", "retryable"));
        }
    }

    @Nested
    class NothingUninvited {
        private final Check check = JobChecks.NOTHING_UNINVITED;

        @Test
        void breaks_when_a_job_is_handed_out_that_no_client_enqueued() {
            breaks(check, new Story().fetched("w1", "j1", 1));
        }

        @Test
        void breaks_when_a_rejected_job_is_handed_out() {
            breaks(check, new Story().enqueued("j1", Answer.REJECTED).fetched("w1", "j1", 1));
        }

        @Test
        void breaks_when_a_rejected_job_is_there_in_the_end() {
            breaks(check, new Story().enqueued("j1", Answer.REJECTED).ended("j1", "available"));
        }

        @Test
        void breaks_when_one_enqueue_has_become_two_jobs() {
            breaks(
                    check,
                    new Story()
                            .enqueuedWithoutId("t")
                            .fetchedAs("w1", "j1", "t", 1)
                            .fetchedAs("w1", "j2", "t", 1));
        }

        @Test
        void breaks_when_more_jobs_have_events_than_enqueues_are_without_an_answer() {
            breaks(
                    check,
                    new Story()
                            .enqueuedWithoutId("t")
                            .event("job.enqueued", "j1", "available")
                            .event("job.enqueued", "j2", "available"));
        }

        @Test
        void allows_an_enqueue_without_an_answer_both_ways() {
            holds(check, new Story().enqueuedWithoutId("t").event("job.enqueued", "j1", "available"));
            holds(check, new Story().enqueuedWithoutId("t").fetchedAs("w1", "j1", "t", 1));
            holds(check, new Story().enqueuedWithoutId("t"));
        }

        @Test
        void allows_a_job_in_the_end_of_which_only_an_enqueue_without_an_answer_speaks() {
            Story unanswered = new Story().enqueuedWithoutId("t").event("job.enqueued", "j1", "available");
            holds(check, unanswered.endedAs("j1", "available", "t"));
        }

        @Test
        void breaks_when_such_a_job_has_another_token_or_comes_twice() {
            breaks(
                    check,
                    new Story()
                            .enqueuedWithoutId("t")
                            .event("job.enqueued", "j1", "available")
                            .endedAs("j1", "available", "other"));
            breaks(
                    check,
                    new Story()
                            .enqueuedWithoutId("t")
                            .fetchedAs("w1", "j1", "t", 1)
                            .endedAs("j1", "available", "t")
                            .endedAs("j2", "available", "t"));
        }

        @Test
        void allows_a_rejection_after_an_unknown_outcome_under_the_same_id() {
            holds(
                    check,
                    new Story()
                            .enqueued("j1", Answer.UNKNOWN)
                            .enqueued("j1", Answer.REJECTED)
                            .fetched("w1", "j1", 1)
                            .ended("j1", "active"));
        }
    }

    @Nested
    class BatchesAreWhole {
        private final Check check = JobChecks.BATCHES_ARE_WHOLE;
        private final Story batch =
                new Story().enqueuedTogether("b", "j1", Answer.UNKNOWN).enqueuedTogether("b", "j2", Answer.UNKNOWN);

        @Test
        void breaks_when_only_a_part_is_there() {
            breaks(check, batch.ended("j1", "available").gone("j2"));
        }

        @Test
        void holds_when_all_are_there_or_none() {
            holds(check, batch.ended("j1", "available").ended("j2", "completed"));
            holds(check, batch.gone("j1").gone("j2"));
        }
    }

    @Nested
    class OneLiveLease {
        private final Check check = CheckOneLiveLease.CHECK;

        @Test
        void breaks_when_a_job_is_handed_on_while_its_lease_is_live() {
            breaks(check, new Story().fetched("w1", "j1", 1).after(5).fetched("w2", "j1", 2));
        }

        @Test
        void ends_so_much_earlier_as_a_clock_was_set_ahead_meanwhile() {
            Story handed = new Story().fetched("w1", "j1", 1).clockSet(2).after(6);
            holds(check, handed.fetched("w2", "j1", 2));
        }

        @Test
        void breaks_when_a_job_is_handed_on_earlier_than_that() {
            breaks(
                    check,
                    new Story().fetched("w1", "j1", 1).clockSet(2).after(5).fetched("w2", "j1", 2));
            breaks(
                    check,
                    new Story().fetched("w1", "j1", 1).clockSet(-2).after(6).fetched("w2", "j1", 2));
            breaks(
                    check,
                    new Story()
                            .clockSet(2)
                            .after(4)
                            .fetched("w1", "j1", 1)
                            .after(7)
                            .fetched("w2", "j1", 2));
        }

        @Test
        void breaks_when_one_lease_is_handed_out_twice() {
            breaks(check, new Story().fetched("w1", "j1", 1).after(50).fetched("w2", "j1", 1));
        }

        @Test
        void breaks_when_a_prolonged_lease_is_handed_on_at_its_first_end() {
            breaks(
                    check,
                    new Story()
                            .fetched("w1", "j1", 1)
                            .after(5)
                            .beat("w1", "j1")
                            .after(3)
                            .fetched("w2", "j1", 2));
        }

        @Test
        void breaks_when_the_nack_before_was_rejected() {
            breaks(
                    check,
                    new Story()
                            .fetched("w1", "j1", 1)
                            .nacked("w1", "j1", 1, Answer.REJECTED)
                            .fetched("w2", "j1", 2));
        }

        @Test
        void breaks_when_an_ack_is_accepted_after_the_job_was_handed_on() {
            breaks(
                    check,
                    new Story()
                            .fetched("w1", "j1", 1)
                            .after(10)
                            .fetched("w2", "j1", 2)
                            .acked("w1", "j1", 1, Answer.OK));
        }

        @Test
        void breaks_when_a_nack_or_a_heartbeat_is_accepted_after_the_job_was_handed_on() {
            Story story = new Story().fetched("w1", "j1", 1).after(10).fetched("w2", "j1", 2);
            holds(check, story.beat("w2", "j1").beat("w1").nacked("w1", "j1", 1, Answer.REJECTED));
            breaks(check, story.beat("w1", "j1"));
            breaks(
                    check,
                    new Story()
                            .fetched("w1", "j1", 1)
                            .after(10)
                            .fetched("w2", "j1", 2)
                            .nacked("w1", "j1", 1, Answer.OK));
        }

        @Test
        void holds_once_the_lease_is_over() {
            holds(check, new Story().fetched("w1", "j1", 1).after(9).fetched("w2", "j1", 2));
        }

        @Test
        void holds_after_a_nack_even_if_no_client_heard_its_answer() {
            holds(
                    check,
                    new Story()
                            .fetched("w1", "j1", 1)
                            .nacked("w1", "j1", 1, Answer.UNKNOWN)
                            .fetched("w2", "j1", 2));
        }

        @Test
        void holds_when_a_silent_worker_is_given_up() {
            Story story =
                    new Story().beat("w1").after(26).fetched("w1", "j1", 1).after(1);
            holds(check, story.after(1).fetched("w2", "j1", 2));
        }
    }

    @Nested
    class EndedStaysEnded {
        private final Check check = JobChecks.ENDED_STAYS_ENDED;

        @Test
        void breaks_when_a_completed_job_is_handed_out_later() {
            breaks(
                    check,
                    new Story()
                            .fetched("w1", "j1", 1)
                            .acked("w1", "j1", 1, Answer.OK)
                            .after(60)
                            .fetched("w2", "j1", 2));
        }

        @Test
        void breaks_when_an_older_lease_is_acked() {
            breaks(
                    check,
                    new Story()
                            .fetched("w1", "j1", 1)
                            .after(10)
                            .fetched("w2", "j1", 2)
                            .acked("w1", "j1", 1, Answer.OK));
        }

        @Test
        void breaks_when_a_cancelled_job_is_handed_out_later() {
            breaks(check, new Story().cancelled("j1", Answer.OK).fetched("w1", "j1", 1));
            holds(check, new Story().cancelled("j1", Answer.REJECTED).fetched("w1", "j1", 1));
        }

        @Test
        void allows_an_ack_without_an_answer_both_ways() {
            holds(
                    check,
                    new Story()
                            .fetched("w1", "j1", 1)
                            .acked("w1", "j1", 1, Answer.UNKNOWN)
                            .after(60)
                            .fetched("w2", "j1", 2));
        }
    }

    @Nested
    class AnswersStand {
        private final Check check = JobChecks.ANSWERS_STAND;

        @Test
        void breaks_when_an_acked_job_is_not_completed() {
            breaks(check, new Story().acked("w1", "j1", 1, Answer.OK).ended("j1", "available"));
        }

        @Test
        void breaks_when_a_cancelled_job_is_not_cancelled() {
            breaks(check, new Story().cancelled("j1", Answer.OK).ended("j1", "completed"));
        }

        @Test
        void holds_when_the_ack_was_rejected_or_unheard() {
            holds(check, new Story().acked("w1", "j1", 1, Answer.REJECTED).ended("j1", "cancelled"));
            holds(check, new Story().acked("w1", "j1", 1, Answer.UNKNOWN).ended("j1", "available"));
        }
    }

    @Nested
    class EventOrder {
        private final Check check = EventChecks.IN_ORDER;

        @Test
        void breaks_when_an_event_comes_twice() {
            breaks(check, Story.ofAGoodLife().again());
        }

        @Test
        void breaks_when_a_transition_is_announced_twice_under_two_ids() {
            breaks(
                    check,
                    new Story()
                            .event("job.enqueued", "j1", "available")
                            .started("j1", 1)
                            .event("job.failed", "j1", "retryable")
                            .event("job.retrying", "j1", "retryable")
                            .event("job.retrying", "j1", "retryable"));
        }

        @Test
        void breaks_when_a_job_is_started_before_it_is_enqueued() {
            breaks(check, new Story().started("j1", 1).event("job.enqueued", "j1", "available"));
        }

        @Test
        void breaks_when_something_happens_after_the_end() {
            breaks(check, Story.ofAGoodLife().event("job.cancelled", "j1", "cancelled"));
        }

        @Test
        void breaks_when_a_start_is_missing() {
            breaks(
                    check,
                    new Story()
                            .event("job.enqueued", "j1", "available")
                            .started("j1", 1)
                            .event("job.failed", "j1", "available")
                            .event("job.available", "j1", "available")
                            .started("j1", 3));
        }

        @Test
        void breaks_when_an_event_is_missing() {
            breaks(
                    check,
                    new Story()
                            .event("job.enqueued", "j1", "available")
                            .started("j1", 1)
                            .event("job.retrying", "j1", "retryable"));
        }

        @Test
        void holds_for_a_job_that_dies() {
            holds(
                    check,
                    new Story()
                            .event("job.scheduled", "j1", "scheduled")
                            .event("job.enqueued", "j1", "available")
                            .started("j1", 1)
                            .event("job.heartbeat", "j1", "active")
                            .event("job.failed", "j1", "discarded")
                            .event("job.discarded", "j1", "discarded")
                            .event("dead_letter.added", "j1", "discarded"));
        }
    }

    @Nested
    class EventsEqualStates {
        private final Check check = EventChecks.EVENTS_EQUAL_STATES;

        @Test
        void breaks_when_the_last_event_says_something_else() {
            breaks(check, new Story().event("job.enqueued", "j1", "available").ended("j1", "completed"));
        }

        @Test
        void breaks_when_a_job_has_no_events() {
            breaks(
                    check,
                    new Story()
                            .event("job.enqueued", "j1", "available")
                            .ended("j1", "available")
                            .ended("j2", "available"));
        }

        @Test
        void breaks_when_a_job_with_events_is_gone() {
            breaks(check, new Story().event("job.enqueued", "j1", "available").gone("j1"));
        }
    }

    @Nested
    class DeliveryRefsAreAnnounced {
        private final Check check = EventChecks.DELIVERIES_ARE_ANNOUNCED;

        @Test
        void breaks_when_a_handout_has_no_event() {
            breaks(check, Story.ofAGoodLife().enqueued("j2", Answer.OK).fetched("w1", "j2", 1));
        }

        @Test
        void breaks_when_a_completion_has_no_event() {
            breaks(check, Story.ofAGoodLife().acked("w1", "j2", 1, Answer.OK));
        }
    }

    @Nested
    class BoundsHold {
        private final Check check = EventChecks.BOUNDS_HOLD;
        private final QueueStory queue = new QueueStory().bounded(2, 0, "reject");

        /** As when several look whether there is room, and only then take it. */
        @Test
        void breaks_when_one_job_too_many_comes_in() {
            breaks(check, queue.comes("j1").comes("j2").comes("j3"));
        }

        @Test
        void breaks_when_a_job_comes_in_that_is_too_large() {
            breaks(
                    check,
                    new QueueStory()
                            .bounded(0, 250, "reject")
                            .comes("j1")
                            .comes("j2")
                            .comes("j3"));
        }

        @Test
        void breaks_when_a_dead_letter_comes_back_into_a_full_queue() {
            breaks(
                    check,
                    queue.comes("j1")
                            .moves("job.discarded", "j1", "discarded")
                            .comes("j2")
                            .comes("j3")
                            .moves("dead_letter.retried", "j1", "available"));
        }

        @Test
        void breaks_when_something_comes_in_after_the_bound_was_lowered() {
            breaks(
                    check,
                    queue.comes("j1")
                            .comes("j2")
                            .bounded(1, 0, "reject")
                            .ends("j1")
                            .comes("j3"));
        }

        /** Each takes the place of another one, though more is there than the bound allows. */
        @Test
        void holds_when_what_comes_in_drops_others_after_the_bound_was_lowered() {
            queue.comes("j1").comes("j2").bounded(1, 0, "drop_oldest").dropped("j1");
            holds(check, queue.comes("j3"));
            breaks(check, queue.comes("j4"));
        }

        @Test
        void holds_when_what_ends_makes_room() {
            holds(check, queue.comes("j1").comes("j2").ends("j1").comes("j3"));
        }

        @Test
        void holds_when_a_job_that_has_its_place_fails_and_comes_back() {
            holds(
                    check,
                    queue.comes("j1")
                            .comes("j2")
                            .moves("job.started", "j1", "active")
                            .moves("job.failed", "j1", "retryable")
                            .moves("job.available", "j1", "available"));
        }

        @Test
        void holds_when_what_was_reserved_comes_in_after_the_bound_was_lowered() {
            holds(check, queue.comes("j1").boundedAt(2, 1, 0, "reject").comes("j2"));
        }

        /** Reserved and to make room: both are among those that the new bound finds. */
        @Test
        void holds_when_a_job_makes_room_for_a_reserved_one_after_the_bound_was_lowered() {
            queue.comes("old1").comes("old2").boundedAt(3, 1, 0, "reject").dropped("old1");
            holds(check, queue.comes("j3"));
            breaks(check, queue.comes("j4"));
        }

        @Test
        void holds_for_a_queue_without_bounds() {
            holds(
                    check,
                    new QueueStory()
                            .comes("j1")
                            .comes("j2")
                            .bounded(0, 0, "block")
                            .comes("j3"));
        }
    }

    @Nested
    class RateLimits {
        @Test
        void hold_when_starts_follow_permits_that_keep_to_all_of_them() {
            LimitStory story = new LimitStory(2L, 4, 100);
            for (int i = 0; i < 40; i++) story.run("j" + i, 250L * i, 3, 250L * i + 400);
            for (Check check : Check.all()) holds(check, story);
        }

        @Test
        void break_when_more_run_than_may() {
            breaks(
                    LimitChecks.CONCURRENCY_HOLDS,
                    new LimitStory(1L, 0, 0).run("j1", 0, 0, 500).run("j2", 499, 0, 600));
        }

        @Test
        void allow_one_to_start_where_another_ends() {
            holds(
                    LimitChecks.CONCURRENCY_HOLDS,
                    new LimitStory(1L, 0, 0).run("j1", 0, 0, 500).run("j2", 500, 0, 600));
        }

        @Test
        void break_when_windows_are_fixed() {
            LimitStory story = new LimitStory(null, 3, 0);
            for (int i = 0; i < 3; i++) story.run("end" + i, 997 + i, 0, 1_100);
            for (int i = 0; i < 3; i++) story.run("begin" + i, 1_000 + i, 0, 1_100);
            breaks(LimitChecks.RATES_HOLD, story);
        }

        @Test
        void break_when_a_restart_forgets_what_has_started() {
            LimitStory story = new LimitStory(null, 3, 0);
            for (int i = 0; i < 3; i++) story.run("before" + i, 10L * i, 0, 100);
            breaks(LimitChecks.RATES_HOLD, story.run("after", 700, 0, 800));
        }

        @Test
        void break_when_starts_are_not_spaced() {
            LimitStory story = new LimitStory(null, 0, 100).run("j1", 0, 0, 50);
            holds(LimitChecks.RATES_HOLD, story.run("j2", 50, 0, 150).run("j3", 150, 0, 250));
            breaks(LimitChecks.RATES_HOLD, story.run("j4", 199, 0, 250));
        }

        @Test
        void break_when_starts_are_spaced_and_too_many_all_the_same() {
            LimitStory story = new LimitStory(null, 0, 100);
            for (int i = 0; i < 10; i++) story.run("j" + i, 60L * i, 0, 900);
            breaks(LimitChecks.RATES_HOLD, story);
        }

        @Test
        void break_when_starts_come_late_though_permits_do_not() {
            LimitStory story = new LimitStory(null, 1, 0).run("j1", 0, 150, 200);
            breaks(LimitChecks.RATES_HOLD, story.run("j2", 1_000, 0, 1_200));
        }

        @Test
        void allow_short_spacings_to_be_kept_on_average_only() {
            LimitStory story = new LimitStory(null, 0, 10);
            for (int i = 0; i < 26; i++) story.run("j" + i, 100, 0, 900);
            holds(LimitChecks.RATES_HOLD, story);
            breaks(LimitChecks.RATES_HOLD, story.run("more", 349, 0, 900));
        }

        @Test
        void break_when_a_permit_is_taken_after_the_start() {
            breaks(LimitChecks.STARTS_FOLLOW_PERMITS, new LimitStory(null, 1, 0).run("j1", 100, -1, 300));
        }

        @Test
        void break_when_a_permit_is_used_late() {
            holds(LimitChecks.STARTS_FOLLOW_PERMITS, new LimitStory(null, 1, 0).run("j1", 0, 5_000, 6_000));
            breaks(LimitChecks.STARTS_FOLLOW_PERMITS, new LimitStory(null, 1, 0).run("j1", 0, 5_001, 6_000));
        }

        @Test
        void break_when_a_lost_lease_has_kept_its_permit() {
            breaks(
                    LimitChecks.NO_PERMIT_LEAKS,
                    new LimitStory(1L, 0, 0).run("j1", 0, 0, 300).left(1, 0));
        }

        @Test
        void break_when_a_job_waits_for_a_permit_that_no_client_has() {
            breaks(LimitChecks.NO_PERMIT_LEAKS, new LimitStory(1L, 0, 0).left(0, 1));
        }
    }

    @Nested
    class Tenants_take_turns {
        private final Check check = QueueChecks.TENANTS_TAKE_TURNS;
        private final QueueStory queue = new QueueStory()
                .fair()
                .ofTenants("a1", "a2", "a3", "a4", "a5", "b1")
                .started("a1");

        @Test
        void holds_while_a_tenant_that_waits_is_passed_over_twice_at_most() {
            holds(check, queue.started("a2", "b1", "a3", "a4", "a5"));
        }

        @Test
        void breaks_when_it_is_passed_over_a_third_time() {
            breaks(check, queue.started("a2", "a3"));
        }

        @Test
        void counts_from_the_start_of_the_tenant_that_waits() {
            holds(check, queue.ofTenants("b2").started("b1", "a2", "a3", "b2"));
        }

        @Test
        void breaks_when_it_is_passed_over_after_a_start_of_its_own() {
            breaks(check, queue.ofTenants("b2").started("b1", "a2", "a3", "a4"));
        }

        @Test
        void breaks_when_a_retried_job_is_passed_over() {
            breaks(
                    check,
                    queue.started("b1")
                            .moves("job.failed", "b1", "retryable")
                            .moves("job.available", "b1", "available")
                            .started("a2", "a3", "a4"));
        }

        @Test
        void allows_any_order_where_they_do_not_take_turns() {
            holds(check, queue.bounded(100, 0, "reject").started("a2", "a3", "a4", "a5"));
        }

        @Test
        void allows_any_order_of_what_was_there_before() {
            holds(
                    check,
                    new QueueStory().ofTenants("a1", "a2", "a3", "b1").fair().started("a1", "a2", "a3"));
        }

        @Test
        void allows_any_order_where_batches_over_several_logs_come() {
            holds(check, queue.offeredWithOtherQueues("x").started("a2", "a3", "a4", "a5"));
        }
    }

    @Nested
    class Victims {
        private final Check check = QueueChecks.VICTIMS;
        private final QueueStory queue = new QueueStory()
                .bounded(2, 0, "drop_oldest")
                .offered("j1", 0)
                .offered("j2", 0)
                .offered("urgent", 5)
                .comes("urgent")
                .comes("j1")
                .comes("j2");

        @Test
        void breaks_when_a_younger_one_is_dropped() {
            breaks(check, queue.dropped("j2"));
        }

        @Test
        void breaks_when_a_more_urgent_one_is_dropped() {
            breaks(check, queue.dropped("urgent"));
        }

        @Test
        void breaks_when_a_job_is_dropped_that_a_client_has_in_hand() {
            breaks(check, queue.moves("job.started", "j1", "active").dropped("j1"));
        }

        @Test
        void breaks_when_a_retried_job_is_dropped_at_its_old_place() {
            breaks(
                    check,
                    queue.moves("job.started", "j1", "active")
                            .moves("job.failed", "j1", "retryable")
                            .moves("job.available", "j1", "available")
                            .dropped("j1"));
        }

        @Test
        void holds_for_the_oldest_of_the_least_urgent() {
            holds(check, queue.dropped("j1").dropped("j2").dropped("urgent"));
        }

        @Test
        void holds_for_a_job_that_was_given_back_to_its_old_place() {
            holds(
                    check,
                    queue.moves("job.started", "j1", "active")
                            .moves("job.available", "j1", "available")
                            .dropped("j1"));
        }

        @Test
        void holds_for_the_next_one_when_the_oldest_is_in_hand() {
            holds(check, queue.moves("job.started", "j1", "active").dropped("j2"));
        }

        /** They may have been chosen long ago. */
        @Test
        void allows_any_order_where_batches_over_several_logs_come() {
            holds(check, queue.offeredWithOtherQueues("x").dropped("j2"));
        }

        @Test
        void breaks_wherever_a_job_is_dropped_that_has_ended() {
            breaks(check, queue.offeredWithOtherQueues("x").dropped("never-came"));
        }
    }

    @Nested
    class LineIsKept {
        private final Check check = QueueChecks.WAIT_ORDER_IS_KEPT;
        private final QueueStory queue = new QueueStory()
                .bounded(2, 0, "block")
                .offered("j1", 0)
                .offered("j2", 0)
                .offered("j3", 0)
                .after(60);

        @Test
        void breaks_when_the_later_one_is_let_in_first() {
            breaks(check, queue.comesAfterWaiting("j2", 5).comesAfterWaiting("j1", 10));
        }

        @Test
        void breaks_when_a_client_comes_in_past_the_line() {
            breaks(check, queue.comes("j3").comesAfterWaiting("j1", 10));
        }

        @Test
        void holds_when_they_come_in_as_they_came() {
            holds(
                    check,
                    queue.comesAfterWaiting("j1", 10).comesAfterWaiting("j2", 5).comes("j3"));
        }

        @Test
        void holds_when_one_came_in_before_the_other_began_to_wait() {
            holds(check, queue.comes("j3").after(20).comesAfterWaiting("j1", 10));
        }

        @Test
        void allows_any_order_for_a_batch_that_has_also_waited_elsewhere() {
            holds(check, queue.offeredWithOtherQueues("x").comes("j3").comesAfterWaiting("x", 10));
        }

        @Test
        void says_nothing_of_a_queue_that_has_blocked_since_a_moment_ago() {
            holds(
                    check,
                    queue.bounded(2, 0, "reject")
                            .comes("j3")
                            .bounded(2, 0, "block")
                            .comesAfterWaiting("j1", 10));
        }
    }

    @Nested
    class RejectionsAreTrue {
        private final Check check = QueueChecks.REJECTIONS_ARE_TRUE;
        private final QueueStory queue =
                new QueueStory().bounded(2, 0, "reject").comes("j1").after(10);

        @Test
        void breaks_when_there_is_room_all_the_time() {
            breaks(check, queue.rejected("j2"));
        }

        @Test
        void breaks_when_there_is_no_bound() {
            breaks(check, queue.comes("j2").bounded(0, 0, "reject").after(10).rejected("j3"));
        }

        @Test
        void breaks_when_a_batch_is_said_never_to_fit_that_could() {
            breaks(check, queue.comes("j2").rejectedForEver("x", "y"));
        }

        @Test
        void breaks_when_a_producer_that_would_wait_is_rejected_at_once() {
            breaks(check, queue.comes("j2").bounded(2, 0, "block").after(10).rejectedAfter(1, 20, "j3"));
        }

        @Test
        void holds_when_the_queue_is_full() {
            holds(check, queue.comes("j2").after(10).rejected("j3"));
        }

        @Test
        void holds_when_all_of_a_batch_would_be_too_many() {
            holds(check, queue.rejected("x", "y"));
        }

        @Test
        void holds_when_the_queue_was_full_a_moment_before() {
            holds(check, queue.comes("j2").after(10).ends("j1").rejected("j3"));
        }

        @Test
        void holds_when_others_may_have_reserved_what_is_free() {
            holds(check, queue.offeredWithOtherQueues("x").after(1).rejected("j2"));
        }

        @Test
        void holds_when_the_time_to_wait_is_up() {
            holds(check, queue.comes("j2").bounded(2, 0, "block").after(10).rejectedAfter(20, 20, "j3"));
        }

        /** Their events do not say how large they are. */
        @Test
        void holds_when_jobs_fill_the_queue_that_came_before_it_had_bounds() {
            QueueStory story =
                    new QueueStory().offered("j1", 0).offered("j2", 0).comesUnmeasured("j1", "j2");
            holds(check, story.bounded(0, 250, "reject").after(10).rejected("j3"));
        }

        @Test
        void holds_when_a_batch_can_never_fit() {
            holds(check, queue.rejectedForEver("x", "y", "z"));
        }
    }

    private static void breaks(Check check, QueueStory story) {
        assertThat(check.violations(story.history())).as(check.claim()).isNotEmpty();
    }

    private static void holds(Check check, QueueStory story) {
        assertThat(check.violations(story.history())).as(check.claim()).isEmpty();
    }

    private static void breaks(Check check, Story story) {
        assertThat(check.violations(story.history())).as(check.claim()).isNotEmpty();
    }

    private static void holds(Check check, Story story) {
        assertThat(check.violations(story.history())).as(check.claim()).isEmpty();
    }

    private static void breaks(Check check, LimitStory story) {
        assertThat(check.violations(story.history())).as(check.claim()).isNotEmpty();
    }

    private static void holds(Check check, LimitStory story) {
        assertThat(check.violations(story.history())).as(check.claim()).isEmpty();
    }
}
