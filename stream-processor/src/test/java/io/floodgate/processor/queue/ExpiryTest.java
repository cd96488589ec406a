package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import org.junit.jupiter.api.Test;

class ExpiryTest extends PartitionTest {
    @Test
    void a_job_that_was_not_run_in_time_is_discarded() {
        log.receives(enqueue("j1").ttl(ofSeconds(10)));
        log.job("j1").shows("expires_at", TestPartition.START.plusSeconds(10));
        log.after(ofSeconds(10).minusMillis(1)).emits().job("j1").is("available");
        log.after(ofMillis(1)).emits("job.expired", "job.discarded", "dead_letter.added");
        log.job("j1")
                .is("discarded")
                .shows("discarded_at", log.now())
                .shows("error.type", "enqueue_ttl_expired")
                .shows("attempt", 0)
                .hides("completed_at", "started_at");
        log.event("job.expired")
                .shows("created_at", TestPartition.START)
                .shows("expired_at", log.now())
                .shows("ttl_ms", 10_000);
        log.status("q").shows("discarded", 1).shows("available", 0).shows("depth", 0);
    }

    @Test
    void is_noticed_at_the_fetch() {
        log.receives(enqueue("j1").ttl(ofSeconds(10)), enqueue("j2"));
        log.sleeps(ofSeconds(10)).receives(fetch().count(2)).replies().jobs("j2");
    }

    @Test
    void an_absolute_time_is_shown_as_it_was_sent() {
        log.receives(enqueue("j1").member("expires_at", "\"2026-01-01T13:00:10.5+01:00\""));
        log.job("j1").shows("expires_at", "2026-01-01T13:00:10.5+01:00");
        log.after(ofSeconds(10).plusMillis(499)).job("j1").is("available");
        log.after(ofMillis(1)).job("j1").is("discarded");
    }

    @Test
    void a_job_that_has_expired_before_it_came_is_never_run() {
        log.receives(enqueue("j1").member("expires_at", "\"2020-01-01T00:00:00Z\""), fetch())
                .replies()
                .nothing();
        log.job("j1").is("discarded");
    }

    @Test
    void a_run_that_has_begun_goes_on() {
        log.receives(enqueue("j1").ttl(ofSeconds(10)), fetch());
        log.after(ofMinutes(1)).job("j1").is("active");
    }

    @Test
    void a_failed_job_is_not_tried_again_after_its_time() {
        log.receives(
                enqueue("j1").ttl(ofSeconds(10)).retry("{'jitter':false,'initial_interval':'PT1M'}"),
                fetch(),
                nack("j1"));
        log.after(ofSeconds(10))
                .job("j1")
                .is("discarded")
                .shows("error.type", "enqueue_ttl_expired")
                .shows("errors.0.type", "handler_error");
    }

    @Test
    void scheduled_and_pending_jobs_expire_too() {
        log.receives(
                enqueue("later").delay(ofMinutes(1)).ttl(ofSeconds(10)),
                enqueue("staged").pending().ttl(ofSeconds(10)));
        log.after(ofSeconds(10));
        log.job("later").is("discarded").hides("scheduled_at");
        log.job("staged").is("discarded");
    }

    @Test
    void at_the_same_moment_expiry_wins_over_being_due() {
        log.receives(enqueue("j1").delay(ofSeconds(10)).ttl(ofSeconds(10)));
        log.after(ofSeconds(10)).job("j1").is("discarded");
    }

    @Test
    void where_the_policy_wants_no_dead_letters_there_is_none() {
        log.receives(enqueue("j1").ttl(ofSeconds(1)).retry("{'on_exhaustion':'discard'}"));
        log.after(ofSeconds(1)).emits("job.expired", "job.discarded");
        log.status("q").shows("discarded", 1).shows("dead", 0);
    }

    @Test
    void an_expired_job_cannot_be_retried_since_it_must_not_run() {
        log.receives(enqueue("j1").ttl(ofSeconds(1)));
        log.after(ofSeconds(1)).receives(retryDead("j1")).emits().rejects(CONFLICT);
        log.replies().with("expires_at", "2026-01-01T12:00:01.000Z");
        log.job("j1").is("discarded");
    }

    @Test
    void one_that_failed_in_time_can_be_retried_until_then() {
        log.receives(enqueue("j1").ttl(ofSeconds(10)), fetch(), nack("j1").retryable(false), retryDead("j1"));
        log.job("j1").is("available");
        log.after(ofSeconds(10)).emits("job.expired", "job.discarded", "dead_letter.added");
        log.receives(retryDead("j1")).rejects(CONFLICT);
    }
}
