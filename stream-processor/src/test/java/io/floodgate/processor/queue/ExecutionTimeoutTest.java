package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.PartitionTest;
import org.junit.jupiter.api.Test;

class ExecutionTimeoutTest extends PartitionTest {
    @Test
    void a_run_that_takes_too_long_has_failed() {
        // given
        log.receives(enqueue("j1").timeout(ofSeconds(2)), fetch().by("w1").lease(ofMinutes(1)));
        // when
        log.after(ofSeconds(2).minusMillis(1)).job("j1").is("active");
        log.after(ofMillis(1)).emits("job.failed", "job.retrying");
        // then
        log.job("j1")
                .is("retryable")
                .shows("timeout_ms", 2000)
                .shows("error.type", "timeout")
                .shows("error.details.timeout_kind", "execution")
                .shows("error.details.limit_seconds", 2.0)
                .shows("error.details.elapsed_seconds", 2.0)
                .shows("errors.0.worker_id", "w1");
        log.receives(ack("j1").by("w1")).rejects(CONFLICT).with("current_state", "retryable");
    }

    @Test
    void the_retry_policy_decides() {
        log.receives(
                enqueue("j1").timeout(ofSeconds(2)).retry("{'non_retryable_errors':['timeout']}"),
                enqueue("j2").timeout(ofSeconds(2)).maxAttempts(1),
                fetch().count(2).lease(ofMinutes(1)));
        log.after(ofSeconds(2));
        log.job("j1").is("discarded");
        log.job("j2").is("discarded");
    }

    @Test
    void a_shorter_lease_ends_first() {
        log.receives(enqueue("j1").timeout(ofSeconds(2)), fetch().lease(ofSeconds(1)));
        log.after(ofSeconds(1)).job("j1").is("available").shows("error.type", "visibility_timeout");
    }

    @Test
    void when_lease_and_time_end_together_it_is_the_time_that_ran_out() {
        log.receives(enqueue("j1").timeout(ofSeconds(2)), fetch().lease(ofSeconds(2)));
        log.after(ofSeconds(2)).job("j1").is("retryable").shows("error.type", "timeout");
    }

    @Test
    void every_run_has_its_own_time() {
        log.receives(enqueue("j1").timeout(ofSeconds(2)), fetch().lease(ofSeconds(1)));
        log.after(ofSeconds(1)).receives(fetch().lease(ofMinutes(1)));
        log.after(ofSeconds(2).minusMillis(1)).job("j1").is("active");
        log.after(ofMillis(1)).job("j1").is("retryable");
    }

    @Test
    void is_half_an_hour_where_nothing_is_said() {
        log.receives(enqueue("j1"), fetch().lease(ofHours(2)));
        log.after(ofMinutes(30).minusMillis(1)).job("j1").is("active");
        log.after(ofMillis(1)).job("j1").is("retryable").shows("error.details.limit_seconds", 1800.0);
    }
}
