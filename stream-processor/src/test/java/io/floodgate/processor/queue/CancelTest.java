package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import org.junit.jupiter.api.Test;

class CancelTest extends PartitionTest {
    @Test
    void ends_a_job_that_waits() {
        log.receives(enqueue("j1"));
        log.sleeps(ofSeconds(1)).receives(cancel("j1")).emits("job.cancelled");
        log.replies()
                .shown()
                .is("cancelled")
                .shows("cancelled_at", TestPartition.START.plusSeconds(1))
                .shows("previous_state", "available")
                .hides("completed_at", "discarded_at", "error");
        log.event("job.cancelled").shows("previous_state", "available").hides("duration_ms");
        log.status("q")
                .shows("cancelled", 1)
                .shows("available", 0)
                .shows("depth", 0)
                .shows("size_bytes", 0);
        log.receives(fetch()).replies().nothing();
    }

    @Test
    void ends_a_job_that_runs_and_its_worker_learns_of_it() {
        log.receives(enqueue("j1"), fetch(), cancel("j1")).replies().shown().shows("previous_state", "active");
        log.event("job.cancelled").shows("duration_ms", 0);
        log.job("j1").is("cancelled").shows("started_at", TestPartition.START).hides("lease", "completed_at");
        log.receives(ack("j1")).rejects(CONFLICT).with("current_state", "cancelled");
    }

    @Test
    void ends_a_job_that_would_come_by_itself() {
        log.receives(enqueue("later").delay(ofHours(1)), enqueue("again"), fetch(), nack("again"));
        log.receives(cancel("later")).replies().shown().is("cancelled").hides("scheduled_at");
        log.receives(cancel("again")).replies().shown().is("cancelled").hides("next_attempt_at", "next_retry_at");
        log.job("again").shows("error.type", "handler_error").shows("previous_state", "retryable");
        log.after(ofHours(2)).receives(fetch()).replies().nothing();
    }

    @Test
    void ends_a_pending_job_for_good() {
        log.receives(enqueue("j1").pending(), cancel("j1"), activate("j1")).rejects(CONFLICT);
        log.job("j1").is("cancelled").shows("previous_state", "pending");
    }

    @Test
    void is_rejected_for_what_has_ended() {
        log.receives(enqueue("j1"), cancel("j1"), cancel("j1"))
                .rejects(CONFLICT)
                .with("current_state", "cancelled");
        log.receives(enqueue("j2"), fetch(), ack("j2"), cancel("j2")).rejects(CONFLICT);
        log.receives(enqueue("j3"), fetch(), nack("j3").retryable(false), cancel("j3"))
                .rejects(CONFLICT);
    }

    @Test
    void is_rejected_for_a_job_no_client_knows() {
        log.receives(cancel("j1")).rejects(NOT_FOUND);
    }
}
