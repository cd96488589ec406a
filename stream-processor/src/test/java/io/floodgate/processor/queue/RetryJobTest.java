package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.INVALID_PAYLOAD;
import static io.floodgate.topics.command.ErrorCode.NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What operators do to single jobs. */
class RetryJobTest extends PartitionTest {
    @Test
    void a_cancelled_job_runs_as_if_it_were_new() {
        log.receives(enqueue("j1"), cancel("j1"));
        log.receives(retryJob("j1")).emits("job.available");
        log.event("job.available").shows("reason", "retried");
        log.replies().shown().is("available").shows("attempt", 0).hides("cancelled_at", "previous_state");
        log.status("q").shows("cancelled", 0).shows("available", 1);
        log.receives(fetch(), ack("j1")).replies().shown().is("completed").shows("attempt", 1);
    }

    @Test
    void a_job_that_waits_for_its_next_attempt_need_not_wait() {
        log.receives(enqueue("j1"), fetch(), nack("j1"), retryJob("j1"));
        log.replies().shown().is("available").shows("attempt", 0).hides("next_attempt_at", "retry_delay_ms");
        log.receives(fetch()).replies().jobs("j1");
    }

    @Test
    void a_completed_job_can_be_deleted_and_leaves_nothing() {
        log.receives(enqueue("j1"), fetch(), ack("j1"));
        log.receives(deleteJob("j1")).emits("job.deleted");
        log.replies().shown().shows("deleted", true).isJob("j1");
        assertThat(log.knows("j1")).isFalse();
        log.status("q").shows("completed", 0);
        log.receives(deleteJob("j1")).rejects(NOT_FOUND);
    }

    @Test
    void a_job_with_a_higher_priority_is_next() {
        log.receives(enqueue("j1"), enqueue("j2"));
        log.receives(setPriority("j2", 5)).emits("job.priority_changed");
        log.replies().shown().isJob("j2").shows("priority", 5);
        log.receives(fetch()).replies().jobs("j2");
        log.receives(setPriority("j2", -5), nack("j2").requeue(), fetch())
                .replies()
                .jobs("j1");
        log.restarts();
        log.job("j2").shows("priority", -5);
    }

    @Test
    void the_same_priority_again_changes_nothing() {
        log.receives(enqueue("j1"));
        log.receives(setPriority("j1", 0)).emits();
    }

    @Test
    void a_priority_that_no_job_can_have_is_rejected() {
        log.receives(enqueue("j1"));
        log.receivesRaw(
                "set-priority",
                "{\"job_id\":\"%s\",\"priority\":101}".formatted(Ids.id("j1")).getBytes(StandardCharsets.UTF_8));
        log.rejects(INVALID_PAYLOAD);
    }
}
