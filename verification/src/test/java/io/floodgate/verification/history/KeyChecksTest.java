package io.floodgate.verification.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The checks of unique jobs prove themselves on histories that break them. */
class KeyChecksTest {
    private static void breaks(Check check, Story story) {
        assertThat(check.violations(story.history())).as(check.claim()).isNotEmpty();
    }

    private static void holds(Check check, Story story) {
        assertThat(check.violations(story.history())).as(check.claim()).isEmpty();
    }

    private static Story replacing(Story story, String job, Answer answer, String replaced) {
        return story.keyed(job, "k", true, answer, null, replaced);
    }

    private static Story rejected(Story story, String job, String duplicate) {
        return story.keyed(job, "k", false, Answer.REJECTED, duplicate, null);
    }

    @Nested
    class OneJobOfAKey {
        private final Check check = KeyChecks.ONE_JOB_OF_A_KEY;

        @Test
        void breaks_when_a_second_one_comes_while_the_first_one_has_not_ended() {
            breaks(check, new Story().keyed("j1").keyed("j2"));
            breaks(check, new Story().keyed("j1").keyed("j2").acked("w", "j1", 1, Answer.OK));
        }

        @Test
        void breaks_when_the_end_of_the_first_one_was_rejected() {
            breaks(
                    check,
                    new Story().keyed("j1").acked("w", "j1", 1, Answer.REJECTED).keyed("j2"));
        }

        @Test
        void breaks_when_another_one_was_replaced() {
            breaks(
                    check,
                    replacing(
                            new Story()
                                    .keyed("j0")
                                    .acked("w", "j0", 1, Answer.OK)
                                    .keyed("j1"),
                            "j2",
                            Answer.OK,
                            "j0"));
        }

        @Test
        void breaks_also_when_a_third_one_has_come_and_gone_between() {
            breaks(
                    check,
                    new Story()
                            .keyed("j1")
                            .keyed("j2")
                            .acked("w", "j2", 1, Answer.OK)
                            .keyed("j3"));
        }

        @Test
        void allows_a_second_one_after_the_end_or_after_what_may_be_the_end() {
            holds(check, new Story().keyed("j1").acked("w", "j1", 1, Answer.OK).keyed("j2"));
            holds(check, new Story().keyed("j1").cancelled("j1", Answer.UNKNOWN).keyed("j2"));
            holds(check, replacing(new Story().keyed("j1"), "j2", Answer.OK, "j1"));
            holds(
                    check,
                    replacing(new Story().keyed("j1"), "j2", Answer.UNKNOWN, null)
                            .keyed("j3"));
        }

        @Test
        void allows_what_may_not_have_come_and_jobs_of_other_keys() {
            holds(check, new Story().keyed("j1").keyed("j2", "k", false, Answer.UNKNOWN, null, null));
            holds(check, new Story().keyed("j1").keyed("j2", "other", false, Answer.OK, null, null));
        }
    }

    @Nested
    class DuplicatesAreTrue {
        private final Check check = KeyChecks.DUPLICATES_ARE_TRUE;

        @Test
        void breaks_when_the_duplicate_had_ended() {
            breaks(check, rejected(new Story().keyed("j1").acked("w", "j1", 1, Answer.OK), "j2", "j1"));
        }

        @Test
        void breaks_when_the_duplicate_is_no_job_of_the_key() {
            breaks(check, rejected(new Story(), "j2", "j1"));
            breaks(check, rejected(new Story().keyed("j1", "other", false, Answer.OK, null, null), "j2", "j1"));
            breaks(check, rejected(new Story().keyed("j1", "k", false, Answer.REJECTED, null, null), "j2", "j1"));
        }

        @Test
        void breaks_when_the_duplicate_came_later() {
            breaks(check, rejected(new Story(), "j2", "j1").keyed("j1"));
        }

        @Test
        void allows_one_that_is_there_and_one_that_may_be() {
            holds(check, rejected(new Story().keyed("j1"), "j2", "j1"));
            holds(check, rejected(new Story().keyed("j1", "k", false, Answer.UNKNOWN, null, null), "j2", "j1"));
            holds(check, rejected(new Story().keyed("j1").acked("w", "j1", 1, Answer.UNKNOWN), "j2", "j1"));
        }
    }

    @Nested
    class ReplacedGiveWay {
        private final Check check = KeyChecks.REPLACED_GIVE_WAY;

        @Test
        void breaks_when_both_are_run() {
            breaks(
                    check,
                    replacing(new Story().keyed("j1"), "j2", Answer.OK, "j1").fetched("w", "j1", 1));
        }

        @Test
        void breaks_when_neither_is_run() {
            breaks(check, new Story().keyed("j1").ended("j1", "cancelled"));
            breaks(
                    check,
                    replacing(new Story().keyed("j1").ended("j1", "cancelled"), "j2", Answer.UNKNOWN, null)
                            .gone("j2"));
        }

        @Test
        void allows_one_of_them() {
            Story story = replacing(new Story().keyed("j1").fetched("w", "j1", 1), "j2", Answer.UNKNOWN, null);
            holds(check, story.ended("j1", "cancelled").ended("j2", "completed"));
            holds(check, new Story().keyed("j1").cancelled("j1", Answer.OK).ended("j1", "cancelled"));
        }
    }

    @Nested
    class KeysRest {
        private final Check check = KeyChecks.KEYS_AT_REST;

        @Test
        void breaks_when_a_job_that_has_ended_has_its_key() {
            breaks(check, new Story().atRest(new KeyAtRest("k", "j1", "completed", false)));
            breaks(check, new Story().atRest(new KeyAtRest("k", "j1", "", false)));
        }

        @Test
        void breaks_when_a_job_of_the_key_is_under_way() {
            breaks(check, new Story().atRest(new KeyAtRest("k", "", "", true)));
        }

        @Test
        void allows_a_job_that_has_not_ended() {
            holds(check, new Story().atRest(new KeyAtRest("k", "j1", "available", false)));
        }
    }
}
