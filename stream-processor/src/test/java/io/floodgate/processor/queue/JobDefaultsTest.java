package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.INVALID_REQUEST;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.retry.RetryOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a queue gives its jobs: the job's own word goes first, then the queue's, the policy of all queues, the system's. */
class JobDefaultsTest extends PartitionTest {
    private static final String ALL = QueueConfig.DEFAULT;

    private static QueuePolicy timeout(Duration timeout) {
        return QueuePolicy.NONE.with(new JobDefaults(timeout, null, RetryOptions.NONE, null));
    }

    private static QueuePolicy retry(@Nullable Integer attempts, @Nullable Duration initial, @Nullable Boolean jitter) {
        RetryOptions options = new RetryOptions(attempts, initial, null, null, null, jitter, null, null);
        return QueuePolicy.NONE.with(new JobDefaults(null, null, options, null));
    }

    @Test
    void a_run_takes_as_long_as_the_job_says_else_the_queue_else_the_policy_of_all() {
        log.receives(decide(ALL, timeout(ofSeconds(30))), decide("q", timeout(ofSeconds(20))));
        log.receives(
                enqueue("own").timeout(ofSeconds(10)),
                enqueue("queues"),
                enqueue("all").to("other"),
                fetch("q", "other").count(3));
        log.after(ofSeconds(10)).job("own").is("retryable").shows("error.type", "timeout");
        log.job("queues").is("active");
        log.after(ofSeconds(10)).job("queues").is("retryable");
        log.job("all").is("active");
        log.after(ofSeconds(10)).job("all").is("retryable");
    }

    @Test
    void a_worker_learns_what_the_queue_gave_the_job() {
        log.receives(
                decide(ALL, timeout(ofMinutes(30))),
                decide("q", QueuePolicy.NONE.with(new JobDefaults(ofSeconds(20), null, RetryOptions.NONE, true))));
        log.receives(
                enqueue("own").timeout(ofSeconds(10)).member("on_worker_lost", "\"retry\""),
                enqueue("queues"),
                enqueue("all").to("other"));
        log.receives(fetch("q").count(2))
                .replies()
                .shown()
                .shows("timeout_ms", 10_000)
                .hides("on_worker_lost");
        log.receives(nack("queues"), decide("q", timeout(ofSeconds(40)))).after(ofMinutes(1));
        log.receives(fetch("q")).replies().shown().shows("timeout_ms", 20_000).shows("on_worker_lost", "discard");
        log.receives(fetch("other")).replies().shown().shows("timeout_ms", 1_800_000);
    }

    @Test
    void a_silent_worker_loses_its_job_after_the_queues_time() {
        var silence = new JobDefaults(null, ofSeconds(5), RetryOptions.NONE, null);
        log.receives(decide("q", QueuePolicy.NONE.with(silence)));
        log.receives(enqueue("own").visibility(ofSeconds(9)), enqueue("queues"), fetch().count(2));
        log.job("queues").shows("lease_expires_at", log.now().plusSeconds(5));
        log.job("own").shows("lease_expires_at", log.now().plusSeconds(9));
        log.receives(enqueue("fetched"), fetch().lease(ofSeconds(2)));
        log.job("fetched").shows("lease_expires_at", log.now().plusSeconds(2));
    }

    @Test
    void a_retry_policy_is_made_field_by_field() {
        log.receives(decide(ALL, retry(7, null, false)), decide("q", retry(null, ofSeconds(20), null)));
        log.receives(enqueue("j1").retry("{'backoff_coefficient': 3}"))
                .replies()
                .shown();
        log.job("j1")
                .shows("max_attempts", 7)
                .shows("retry.initial_interval", "PT20S")
                .shows("retry.jitter", false)
                .shows("retry.backoff_coefficient", 3.0)
                .shows("retry.max_interval", "PT5M")
                .shows("retry.on_exhaustion", "dead_letter");
        log.receives(fetch(), nack("j1"))
                .replies()
                .shown()
                .shows("next_attempt_at", log.now().plusSeconds(20));
    }

    @Test
    void a_job_whose_worker_is_lost_is_discarded_where_the_queue_says_so_and_the_job_does_not() {
        var lost = new JobDefaults(null, ofSeconds(5), RetryOptions.NONE, true);
        log.receives(decide("q", QueuePolicy.NONE.with(lost)));
        log.receives(enqueue("queues"), enqueue("own").member("on_worker_lost", "\"retry\""), fetch().count(2));
        log.after(ofSeconds(5));
        log.job("queues").is("discarded");
        log.job("own").is("available");
    }

    @Test
    void a_change_leaves_the_jobs_that_are_there_as_they_are() {
        log.receives(enqueue("before"), decide("q", timeout(ofSeconds(1))), enqueue("later"), fetch().count(2));
        log.after(ofSeconds(2));
        log.job("before").is("active");
        log.job("later").is("retryable");
    }

    @Test
    void are_shown_resolved_and_beside_that_as_they_were_decided() {
        log.receives(decide(ALL, timeout(ofMinutes(1))), decide("q", retry(5, null, null)));
        log.receives(getQueue("q"));
        log.replies()
                .shown()
                .shows("config.default_timeout_ms", 60_000)
                .shows("config.visibility_timeout_ms", 1_800_000)
                .shows("config.default_retry.max_attempts", 5)
                .shows("config.default_retry.initial_interval", "PT1S")
                .shows("config.on_worker_lost", "retry")
                .shows("config.retention_ms.discarded", Duration.ofDays(30).toMillis())
                .showsJson("config.allowed_job_types", "['*']")
                .showsJson("decided", "{'default_retry':{'max_attempts':5}}");
    }

    @Test
    void what_is_unset_falls_back() {
        log.receives(decide(ALL, retry(7, null, null)), decide("q", retry(5, ofSeconds(3), null)));
        log.receives(decide("q", QueuePolicy.NONE, "default_retry.max_attempts"));
        log.replies()
                .shown()
                .shows("config.default_retry.max_attempts", 7)
                .shows("config.default_retry.initial_interval", "PT3S");
        log.receives(decide("q", QueuePolicy.NONE, "default_retry"));
        log.replies()
                .shown()
                .shows("config.default_retry.initial_interval", "PT1S")
                .showsJson("decided", "{}");
        log.receives(decide(ALL, QueuePolicy.NONE, "default_retry"));
        log.receives(getQueue("q")).replies().shown().shows("config.default_retry.max_attempts", 3);
    }

    @Test
    void survive_a_restart_beside_the_queue() {
        log.receives(decide(ALL, timeout(ofMillis(7))), decide("q", retry(5, null, null)));
        log.restarts().receives(getQueue("q"));
        log.replies().shown().shows("config.default_timeout_ms", 7).shows("config.default_retry.max_attempts", 5);
    }

    @Test
    void are_reported_when_they_change_and_only_then() {
        log.receives(decide("q", retry(5, null, null))).emits("queue.created", "queue.config_updated");
        log.event("queue.config_updated").showsJson("config", "{'default_retry':{'max_attempts':5}}");
        log.receives(decide("q", retry(5, null, null))).emits();
        log.receives(decide(ALL, timeout(ofSeconds(1)))).emits("queue.config_updated");
        log.event("queue.config_updated").shows("queue", ALL).shows("config.default_timeout_ms", 1_000);
    }

    @Test
    void a_reset_forgets_them() {
        log.receives(decide(ALL, timeout(ofSeconds(1))), decide("q", timeout(ofSeconds(2))));
        log.receives(io.floodgate.processor.testing.Commands.reset()).after(ofSeconds(1));
        log.receives(getQueue("q")).replies().shown().shows("config.default_timeout_ms", 1_800_000);
        log.receives(getQueue(ALL)).replies().shown().showsJson("decided", "{}");
        assertThat(log.state().entriesButPosition()).isEmpty();
    }

    @Test
    void dead_letters_go_to_another_queue_with_a_proper_name() {
        for (String target : new String[] {"q", "No Queue"})
            log.receives(decide("q", QueuePolicy.NONE.with(new DeadLettering(target, null, null))))
                    .rejects(INVALID_REQUEST)
                    .with("field", "dead_letter_queue");
    }

    @Test
    void a_bound_of_all_queues_holds_for_those_that_are_yet_to_come() {
        log.receives(bound(ALL, new QueueConfig(1L, null, null, null)));
        log.receives(enqueue("j1"), enqueue("j2")).rejects(io.floodgate.topics.command.ErrorCode.QUEUE_FULL);
        log.receives(io.floodgate.processor.testing.Commands.batch(
                        enqueue("j3").to("new"), enqueue("j4").to("new")))
                .rejects(io.floodgate.topics.command.ErrorCode.BATCH_EXCEEDS_BOUND);
        assertThat(log.engine().queueNames()).containsExactly("q");
        log.receives(bound("q", new QueueConfig(0L, null, null, null)), enqueue("j2"))
                .replies()
                .shown()
                .is("available");
    }

    @Test
    void a_bound_of_all_queues_that_goes_lets_in_who_waits_for_room() {
        log.receives(bound(ALL, new QueueConfig(1L, null, io.floodgate.topics.queue.Overflow.BLOCK, null)));
        log.receives(
                enqueue("j1"),
                io.floodgate.processor.testing.Commands.patient(ofMinutes(1), enqueue("j2"))
                        .as("waiting"));
        log.keepsWaiting("waiting").receives(bound(ALL, QueueConfig.NONE, "max_depth"));
        log.after(ofMillis(1)).repliesTo("waiting").shown().is("available");
    }
}
