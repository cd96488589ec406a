package io.floodgate.processor.unique;

import static io.floodgate.topics.command.ErrorCode.DUPLICATE;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import org.junit.jupiter.api.Test;

/** The recipes of docs/explanation/unique-jobs.md, as they are written there. */
class RecipesTest extends PartitionTest {
    private static Commands.Job job(String nickname, String policy) {
        return enqueue(nickname).member("unique", policy);
    }

    private void isIgnoredFor(String nickname, String holder) {
        log.replies()
                .shown()
                .shows("deduplicated", true)
                .shows("existing_job_id", Ids.id(holder).toString());
        assertThat(log.knows(nickname)).isFalse();
    }

    @Test
    void throttle_runs_at_most_once_in_an_hour() {
        String policy =
                "{\"period\":\"PT1H\",\"states\":[\"available\",\"active\",\"scheduled\",\"retryable\",\"completed\"],\"on_conflict\":\"ignore\"}";
        log.receives(job("j1", policy), fetch("q").by("w"), ack("j1").by("w"));
        log.after(ofMinutes(60).minusMillis(1)).receives(job("j2", policy));
        isIgnoredFor("j2", "j1");
        log.after(ofMillis(1)).receives(job("j3", policy)).replies().shown().is("available");
    }

    @Test
    void debounce_runs_the_last_of_a_burst_after_it() {
        String policy = "{\"on_conflict\":\"replace\",\"states\":[\"scheduled\"]}";
        log.receives(job("j1", policy).delay(ofSeconds(5)));
        log.after(ofSeconds(4)).receives(job("j2", policy).delay(ofSeconds(5)));
        log.after(ofSeconds(4)).receives(job("j3", policy).delay(ofSeconds(5)));
        log.after(ofSeconds(5).minusMillis(1));
        log.job("j3").is("scheduled");
        log.after(ofMillis(1)).receives(fetch("q").count(3).by("w")).replies().jobs("j3");
        log.job("j1").is("cancelled");
        log.job("j2").is("cancelled");
        // The one that runs is no duplicate: the next burst has a run of its own.
        log.receives(job("j4", policy).delay(ofSeconds(5)));
        log.job("j3").is("active");
        log.job("j4").is("scheduled");
    }

    @Test
    void debounce_that_keeps_the_schedule_runs_after_the_first_of_a_burst() {
        String policy = "{\"on_conflict\":\"replace_except_schedule\",\"states\":[\"scheduled\"]}";
        log.receives(job("j1", policy).delay(ofSeconds(5)));
        log.after(ofSeconds(4)).receives(job("j2", policy).delay(ofSeconds(5)));
        log.after(ofSeconds(1)).receives(fetch("q").by("w")).replies().jobs("j2");
    }

    @Test
    void keep_last_has_one_that_runs_and_the_newest_that_waits() {
        String policy = "{\"states\":[\"available\",\"scheduled\",\"retryable\"],\"on_conflict\":\"replace\"}";
        log.receives(job("j1", policy), fetch("q").by("w"));
        log.receives(job("j2", policy), job("j3", policy));
        log.job("j1").is("active");
        log.job("j2").is("cancelled");
        log.receives(ack("j1").by("w"), fetch("q").by("w")).replies().jobs("j3");
    }

    @Test
    void keep_last_replaces_also_the_one_that_has_failed_or_was_retried_by_hand() {
        String policy = "{\"states\":[\"available\",\"scheduled\",\"retryable\"],\"on_conflict\":\"replace\"}";
        log.receives(job("j1", policy).maxAttempts(2), fetch("q").by("w"), job("j2", policy));
        log.receives(nack("j1").by("w"), job("j3", policy));
        log.job("j1").is("cancelled");
        log.job("j2").is("cancelled");
        log.receives(
                job("d1", policy).maxAttempts(1), fetch("q").by("w"), nack("d1").by("w"));
        log.receives(job("d2", policy), retryDead("d1"), job("d3", policy));
        log.job("d1").is("cancelled");
        log.job("d2").is("cancelled");
        log.job("d3").is("available");
    }

    @Test
    void one_runs_and_one_more_waits() {
        String policy = "{\"states\":[\"available\",\"scheduled\",\"retryable\"],\"on_conflict\":\"ignore\"}";
        log.receives(job("j1", policy), fetch("q").by("w"), job("j2", policy));
        log.replies().shown().is("available");
        log.receives(job("j3", policy));
        isIgnoredFor("j3", "j2");
    }

    @Test
    void a_request_that_chooses_its_id_can_be_repeated() {
        log.receives(enqueue("j1"), enqueue("j1"));
        log.rejects(DUPLICATE).with("existing_job_id", Ids.id("j1").toString());
        log.status("q").shows("available", 1);
    }
}
