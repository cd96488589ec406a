package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import org.junit.jupiter.api.Test;

class ActivateTest extends PartitionTest {
    @Test
    void makes_a_pending_job_available() {
        log.receives(enqueue("j1").pending());
        log.sleeps(ofSeconds(3)).receives(activate("j1")).emits("job.enqueued");
        log.replies()
                .shown()
                .is("available")
                .shows("activated_at", TestPartition.START.plusSeconds(3))
                .shows("previous_state", "pending");
        log.receives(fetch()).replies().jobs("j1");
    }

    @Test
    void puts_it_at_the_end_of_the_line() {
        log.receives(enqueue("j1").pending(), enqueue("j2"), activate("j1"), fetch().count(2));
        log.replies().jobs("j2", "j1");
    }

    @Test
    void a_job_for_later_is_still_for_later() {
        log.receives(enqueue("j1").pending().delay(ofMinutes(5)), activate("j1"))
                .emits("queue.created", "job.pending", "job.scheduled");
        log.replies().shown().is("scheduled").shows("scheduled_at", TestPartition.START.plus(ofMinutes(5)));
        log.after(ofMinutes(5)).job("j1").is("available");
    }

    @Test
    void a_job_whose_time_has_come_meanwhile_is_available() {
        log.receives(enqueue("j1").pending().delay(ofMinutes(5)));
        log.after(ofMinutes(5)).job("j1").is("pending");
        log.receives(activate("j1")).replies().shown().is("available").hides("scheduled_at");
    }

    @Test
    void is_rejected_for_a_job_that_is_not_pending() {
        log.receives(enqueue("j1"), activate("j1"))
                .rejects(CONFLICT)
                .with("current_state", "available")
                .with("expected_state", "pending");
        log.receives(enqueue("j2").pending(), activate("j2"), activate("j2")).rejects(CONFLICT);
    }
}
