package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.PartitionTest;
import org.junit.jupiter.api.Test;

class LeaseExpiryTest extends PartitionTest {
    @Test
    void a_job_whose_worker_says_nothing_is_for_others() {
        // given
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        // when
        log.after(ofSeconds(30).minusMillis(1)).job("j1").is("active");
        log.after(ofMillis(1)).emits("job.failed", "job.available");
        // then
        log.job("j1")
                .is("available")
                .shows("attempt", 1)
                .shows("error.type", "visibility_timeout")
                .shows("errors.0.worker_id", "w1")
                .hides("started_at", "worker_id", "lease", "completed_at");
        log.event("job.available").shows("reason", "visibility_timeout");
        log.status("q").shows("available", 1).shows("active", 0).shows("failed_last_hour", 1);
        log.receives(fetch().by("w2")).replies().shown().shows("attempt", 2).shows("lease", 2);
    }

    @Test
    void it_goes_to_the_place_it_had() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(1)), enqueue("j2"));
        log.after(ofSeconds(1)).receives(fetch().count(2)).replies().jobs("j1", "j2");
    }

    @Test
    void without_attempts_left_it_is_discarded() {
        log.receives(enqueue("j1").maxAttempts(1), fetch().lease(ofSeconds(1)));
        log.after(ofSeconds(1)).emits("job.failed", "job.discarded", "dead_letter.added");
        log.job("j1").is("discarded").shows("error.type", "visibility_timeout");
    }

    @Test
    void a_job_that_must_not_run_twice_is_discarded() {
        log.receives(enqueue("j1").discardedOnWorkerLost(), fetch().lease(ofSeconds(1)));
        log.after(ofSeconds(1)).job("j1").is("discarded").shows("attempt", 1).shows("on_worker_lost", "discard");
    }

    @Test
    void what_the_late_worker_reports_is_rejected() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(1)));
        log.after(ofSeconds(1)).receives(fetch().by("w2"));
        log.receives(ack("j1").by("w1")).rejects(CONFLICT);
        log.receives(nack("j1").by("w1")).rejects(CONFLICT);
        log.job("j1").is("active").shows("worker_id", "w2");
    }

    @Test
    void is_noticed_by_the_next_record_when_no_tick_came() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(1)));
        log.sleeps(ofSeconds(1)).receives(fetch()).emits("job.failed", "job.available", "job.started");
        log.replies().jobs("j1");
    }

    @Test
    void what_was_done_while_no_client_could_be_heard_of_counts() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        log.sleeps(ofMinutes(1)).receives(ack("j1").by("w1"));
        log.job("j1").is("completed");
    }

    @Test
    void a_lease_that_ended_while_no_client_could_be_heard_of_lasts_fifteen_seconds_longer_once() {
        // given
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        // when
        log.sleeps(ofMinutes(1)).receives(fetch().by("w2")).emits("job.heartbeat");
        // then
        log.replies().nothing();
        log.job("j1")
                .is("active")
                .shows("worker_id", "w1")
                .shows("lease_expires_at", log.now().plusSeconds(15));
        log.after(ofSeconds(15)).job("j1").is("available").shows("error.type", "visibility_timeout");
    }

    @Test
    void a_log_that_is_five_seconds_late_was_in_reach() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofSeconds(30)));
        log.sleeps(ofSeconds(35)).receives(fetch().by("w2")).replies().jobs("j1");
    }

    @Test
    void a_fresh_start_knows_of_it() {
        log.receives(enqueue("j1"), fetch().lease(ofMinutes(1)));
        log.restarts().after(ofMinutes(1)).job("j1").is("available");
    }

    @Test
    void a_lease_without_length_ends_with_the_next_record() {
        log.receives(enqueue("j1"), fetch().lease(ofSeconds(0)));
        log.replies().jobs("j1");
        log.receives(ack("j1")).rejects(CONFLICT);
    }
}
