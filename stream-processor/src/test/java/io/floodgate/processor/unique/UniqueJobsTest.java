package io.floodgate.processor.unique;

import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static io.floodgate.topics.command.ErrorCode.QUEUE_FULL;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Unique jobs of one partition: the scenarios of OJS unique jobs §14. */
class UniqueJobsTest extends PartitionTest {
    private static Commands.Job job(String nickname, String policy) {
        return enqueue(nickname)
                .member("unique", policy)
                .member("args", "[{\"user_id\":42,\"n\":\"" + nickname + "\"}]");
    }

    private static Commands.Job unique(String nickname, String more) {
        return job(nickname, "{\"args_keys\":[\"user_id\"]" + more + "}");
    }

    private static Commands.Job unique(String nickname) {
        return unique(nickname, "");
    }

    private static final String ENDED = ",\"states\":[\"available\",\"active\",\"completed\"]";

    @Test
    void the_second_of_two_jobs_of_a_key_is_rejected() {
        log.receives(unique("j1")).replies().shown().is("available");
        log.receives(unique("j2"));
        log.rejects(DUPLICATE).with("existing_job_id", Ids.id("j1").toString()).with("existing_job_state", "available");
        assertThat(log.knows("j2")).isFalse();
        log.status("q").shows("available", 1);
    }

    @Test
    void jobs_with_other_values_of_the_named_arguments_are_no_duplicates() {
        log.receives(unique("j1"), unique("j2").member("args", "[{\"user_id\":43}]"));
        log.status("q").shows("available", 2);
        log.receives(unique("j3")).rejects(DUPLICATE);
    }

    @Test
    void a_job_without_a_policy_has_no_key() {
        log.receives(enqueue("j1").member("args", "[{\"user_id\":42}]"), unique("j2"));
        log.status("q").shows("available", 2);
    }

    @Test
    void after_the_period_another_job_may_come() {
        log.receives(unique("j1", ",\"period\":\"PT2S\""));
        log.after(ofMillis(1_999))
                .receives(unique("j2", ",\"period\":\"PT2S\""))
                .rejects(DUPLICATE);
        log.after(ofMillis(1)).receives(unique("j3", ",\"period\":\"PT2S\""));
        log.replies().shown().is("available");
    }

    @Test
    void a_key_is_free_once_its_job_has_ended() {
        log.receives(unique("j1"), fetch("q").by("w"));
        log.receives(unique("j2")).rejects(DUPLICATE).with("existing_job_state", "active");
        log.receives(ack("j1").by("w"));
        log.receives(unique("j2")).replies().shown().is("available");
        log.receives(cancel("j2"), unique("j3"));
        log.replies().shown().is("available");
    }

    @Test
    void a_job_that_has_ended_is_remembered_if_its_policy_says_so() {
        log.receives(unique("j1", ENDED), fetch("q").by("w"), ack("j1").by("w"));
        log.receives(unique("j2", ENDED)).rejects(DUPLICATE).with("existing_job_state", "completed");
        // The new one decides.
        log.receives(unique("j3")).replies().shown().is("available");
    }

    @Test
    void a_job_that_is_forgotten_keeps_its_key_until_its_period_is_over() {
        String policy = ENDED + ",\"period\":\"P30D\"";
        log.receives(unique("j1", policy), fetch("q").by("w"), ack("j1").by("w"));
        log.after(Duration.ofDays(29));
        assertThat(log.knows("j1")).isFalse();
        log.receives(unique("j2", policy)).rejects(DUPLICATE).with("existing_job_state", "completed");
        log.after(Duration.ofDays(1)).receives(unique("j3", policy));
        log.replies().shown().is("available");
    }

    @Test
    void a_job_that_waits_for_its_next_attempt_has_its_key() {
        log.receives(unique("j1"), fetch("q").by("w"), nack("j1").by("w"));
        log.receives(unique("j2")).rejects(DUPLICATE).with("existing_job_state", "retryable");
    }

    @Test
    void a_discarded_job_has_its_key_again_once_it_is_retried() {
        log.receives(unique("j1").maxAttempts(1), fetch("q").by("w"), nack("j1").by("w"));
        log.receives(unique("j2"), cancel("j2"), retryDead("j1"));
        log.receives(unique("j3"))
                .rejects(DUPLICATE)
                .with("existing_job_id", Ids.id("j1").toString());
    }

    @Test
    void replace_cancels_the_job_and_stores_the_new_one() {
        log.receives(unique("j1"), unique("j2", ",\"on_conflict\":\"replace\""));
        log.replies()
                .shown()
                .is("available")
                .shows("replaced_job_id", Ids.id("j1").toString());
        log.event("job.cancelled")
                .shows("reason", "replaced")
                .shows("replaced_by", Ids.id("j2").toString());
        log.job("j1").is("cancelled");
        log.receives(unique("j3"))
                .rejects(DUPLICATE)
                .with("existing_job_id", Ids.id("j2").toString());
    }

    @Test
    void a_duplicate_behind_many_newer_jobs_of_the_key_is_seen() {
        String policy = ",\"states\":[\"completed\"],\"period\":\"PT1H\"";
        for (int n = 0; n < 30; n++) log.receives(unique("n" + n, policy));
        log.receives(fetch("q").by("w"), ack("n0").by("w"));
        log.receives(unique("x", policy))
                .rejects(DUPLICATE)
                .with("existing_job_id", Ids.id("n0").toString());
    }

    @Test
    void replace_cancels_all_unfinished_jobs_of_the_key() {
        for (int n = 0; n < 30; n++) log.receives(unique("n" + n, ",\"states\":[\"cancelled\"]"));
        log.receives(unique("x", ",\"on_conflict\":\"replace\""));
        log.replies().shown().shows("replaced_job_id", Ids.id("n29").toString());
        log.status("q").shows("available", 1);
        log.job("n0").is("cancelled");
    }

    @Test
    void replace_names_no_job_that_had_ended() {
        log.receives(unique("j1", ENDED), fetch("q").by("w"), ack("j1").by("w"));
        log.receives(unique("j2", ENDED + ",\"on_conflict\":\"replace\""));
        log.replies().shown().is("available").hides("replaced_job_id");
        log.job("j1").is("completed");
        log.receives(unique("j3", ENDED + ",\"on_conflict\":\"replace\""));
        log.replies().shown().shows("replaced_job_id", Ids.id("j2").toString());
    }

    @Test
    void a_key_forgets_the_oldest_of_100_jobs_that_have_ended_when_another_one_replaces_them() {
        String policy = ENDED + ",\"on_conflict\":\"replace\"";
        for (int n = 0; n < 102; n++) {
            log.receives(unique("n" + n, policy)).replies().shown().is("available");
            log.receives(fetch("q").by("w"), ack("n" + n).by("w"));
        }
        assertThat(log.engine().uniqueKeys()).isEqualTo(100);
        log.receives(unique("x", ENDED))
                .rejects(DUPLICATE)
                .with("existing_job_id", Ids.id("n101").toString());
    }

    @Test
    void a_key_has_at_most_100_jobs_beside_those_that_are_replaced() {
        String policy = ",\"states\":[\"cancelled\"]";
        for (int n = 0; n < 100; n++)
            log.receives(unique("n" + n, policy)).replies().shown().is("available");
        log.receives(unique("x", policy))
                .rejects(ErrorCode.RATE_LIMITED)
                .with("reason", "too_many_jobs_of_a_unique_key");
        log.receives(unique("y", ",\"on_conflict\":\"replace\""))
                .replies()
                .shown()
                .is("available");
    }

    @Test
    void replace_takes_the_room_of_the_job_in_a_full_queue() {
        log.receives(bound(1, Overflow.REJECT), unique("j1"));
        log.receives(enqueue("other")).rejects(QUEUE_FULL);
        log.receives(unique("j2", ",\"on_conflict\":\"replace\""))
                .replies()
                .shown()
                .is("available");
        log.receives(fetch("q").by("w"), unique("j3", ",\"on_conflict\":\"replace\""));
        log.replies().shown().is("available");
        log.job("j2").is("cancelled");
    }

    @Test
    void a_job_goes_on_if_the_one_that_would_replace_it_has_no_room() {
        log.receives(unique("j1"), unique("j2", ",\"on_conflict\":\"replace\"").to("full"));
        log.receives(cancel("j2"));
        log.receives(unique("j3"));
        log.receives(
                bound("full", new QueueConfig(1L, null, Overflow.REJECT, null)),
                enqueue("x").to("full"));
        log.receives(unique("j4", ",\"on_conflict\":\"replace\"").to("full")).rejects(QUEUE_FULL);
        log.job("j3").is("available");
        log.receives(fetch("q").by("w")).replies().jobs("j3");
    }

    @Test
    void replace_except_schedule_keeps_the_time() {
        log.receives(unique("j1").delay(ofSeconds(10)));
        log.receives(
                unique("j2", ",\"on_conflict\":\"replace_except_schedule\"").delay(ofSeconds(99)));
        log.replies().shown().is("scheduled").shows("scheduled_at", "2026-01-01T12:00:10.000Z");
    }

    @Test
    void a_job_in_another_state_than_the_named_ones_goes_on() {
        String policy = ",\"states\":[\"scheduled\"],\"on_conflict\":\"replace\"";
        log.receives(unique("j1", policy), unique("j2", policy).delay(ofSeconds(5)));
        log.receives(unique("j3", policy).delay(ofSeconds(5)));
        log.job("j1").is("available");
        log.job("j2").is("cancelled");
        log.job("j3").is("scheduled");
    }

    @Test
    void ignore_names_the_job_that_is_there() {
        log.receives(unique("j1"), unique("j2", ",\"on_conflict\":\"ignore\""));
        log.replies()
                .shown()
                .shows("deduplicated", true)
                .shows("existing_job_id", Ids.id("j1").toString());
        assertThat(log.knows("j2")).isFalse();
    }

    @Test
    void a_duplicate_is_ignored_though_the_queue_is_full() {
        log.receives(bound(1, Overflow.REJECT), unique("j1"), unique("j2", ",\"on_conflict\":\"ignore\""));
        log.replies().shown().shows("deduplicated", true);
    }

    @Test
    void with_the_queue_in_the_key_other_queues_are_others() {
        String policy = "{\"keys\":[\"type\",\"queue\"]}";
        log.receives(job("j1", policy), job("j2", policy).to("other"));
        log.replies().shown().is("available");
        log.receives(job("j3", policy)).rejects(DUPLICATE);
    }

    @Test
    void a_policy_that_makes_no_sense_is_rejected() {
        log.receives(job("j1", "{\"keys\":[\"meta\"]}"))
                .rejects(INVALID_REQUEST)
                .with("field", "unique.meta_keys");
    }

    @Test
    void the_same_job_again_is_rejected_and_does_not_replace_itself() {
        log.receives(unique("j1"), unique("j1", ",\"on_conflict\":\"replace\""));
        log.rejects(DUPLICATE).with("existing_job_id", Ids.id("j1").toString());
        log.job("j1").is("available");
    }

    @Test
    void a_reset_forgets_keys() {
        log.receives(unique("j1"), reset());
        log.after(ofSeconds(1));
        log.receives(unique("j2")).replies().shown().is("available");
    }

    @Test
    void nothing_is_left_of_keys_of_jobs_that_have_ended() {
        log.receives(unique("j1"), cancel("j1"));
        assertThat(Stored.keys(log)).isEmpty();
        log.receives(unique("j2"), unique("j3"), unique("j4", ",\"on_conflict\":\"replace\""), cancel("j4"));
        assertThat(Stored.keys(log)).isEmpty();
    }

    // ---- batches

    @Test
    void a_batch_with_a_duplicate_is_rejected_whole() {
        log.receives(unique("j1"), batch(enqueue("a"), unique("j2")));
        log.rejects(DUPLICATE)
                .with("index", 1)
                .with("existing_job_id", Ids.id("j1").toString());
        assertThat(log.knows("a")).isFalse();
    }

    @Test
    void a_batch_is_stored_without_the_jobs_that_are_ignored() {
        log.receives(unique("j1"), batch(enqueue("a"), unique("j2", ",\"on_conflict\":\"ignore\""), enqueue("b")));
        assertThat(log.replies().lines()).hasSize(3);
        log.replies().line(0).is("available");
        log.replies()
                .line(1)
                .shows("deduplicated", true)
                .shows("existing_job_id", Ids.id("j1").toString());
        log.replies().line(2).is("available");
        assertThat(log.knows("j2")).isFalse();
    }

    @Test
    void jobs_of_a_batch_are_duplicates_of_each_other() {
        log.receives(batch(unique("j1"), unique("j2")))
                .rejects(DUPLICATE)
                .with("index", 1)
                .with("duplicate_of_index", 0);
        log.receives(batch(unique("j1"), unique("j2", ",\"on_conflict\":\"replace\"")))
                .rejects(INVALID_REQUEST)
                .with("index", 1);
        log.receives(batch(unique("j1"), unique("j2", ",\"on_conflict\":\"ignore\"")));
        log.replies()
                .line(1)
                .shows("deduplicated", true)
                .shows("existing_job_id", Ids.id("j1").toString());
    }

    @Test
    void a_batch_replaces_jobs() {
        log.receives(unique("j1"), batch(enqueue("a"), unique("j2", ",\"on_conflict\":\"replace\"")));
        log.replies().line(0).hides("replaced_job_id");
        log.replies().line(1).shows("replaced_job_id", Ids.id("j1").toString());
        log.job("j1").is("cancelled");
    }
}
