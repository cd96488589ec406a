package io.floodgate.processor.queue;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Ask;
import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.SkipJob;
import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantFairness;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs with the same order key start one after the other, in the order in which they were enqueued. */
class OrderByKeyTest extends PartitionTest {
    private static Job of(String key, String job) {
        return enqueue(job).member("order_key", '"' + key + '"').retry("{'jitter':false,'max_attempts':3}");
    }

    private static Ask skip(String job) {
        return ask(new SkipJob(Ids.id(job)));
    }

    private static Ask order(@Nullable String path, @Nullable Boolean skips, @Nullable Duration most) {
        return decide("q", QueuePolicy.NONE.with(new KeyOrder(path, skips, most)));
    }

    private void starts(String... jobs) {
        log.receives(fetch().count(10).by("w").lease(ofMinutes(1))).replies().jobs(jobs);
    }

    @Test
    void one_runs_at_a_time_and_other_keys_do_not_wait() {
        log.receives(of("a", "a1"), of("a", "a2"), of("b", "b1"), enqueue("free"), of("b", "b2"));
        starts("a1", "b1", "free");
        starts();
        log.receives(ack("b1"));
        starts("b2");
        log.receives(ack("a1"));
        starts("a2");
    }

    @Test
    void a_job_that_has_failed_keeps_its_place_until_it_has_ended() {
        log.receives(of("a", "a1"), of("a", "a2"));
        starts("a1");
        log.receives(nack("a1"));
        starts();
        log.after(ofSeconds(1));
        starts("a1");
        log.receives(nack("a1")).after(ofSeconds(2)).restarts();
        starts("a1");
        log.receives(nack("a1"));
        log.job("a1").is("discarded");
        starts("a2");
    }

    @Test
    void a_lease_that_ends_and_a_job_that_is_given_back_keep_the_place() {
        log.receives(of("a", "a1"), of("a", "a2"));
        starts("a1");
        log.receives(nack("a1").requeue());
        starts("a1");
        log.after(ofMinutes(1));
        starts("a1");
    }

    @Test
    void a_job_that_was_passed_and_is_given_back_for_later_keeps_its_place() {
        log.receives(of("a", "a1"), of("a", "a2"));
        starts("a1");
        log.receives(nack("a1"), skip("a1")).after(ofSeconds(1));
        starts("a1");
        log.receives(nack("a1").requeueIn(ofSeconds(30)));
        starts();
        log.after(ofSeconds(30));
        starts("a1");
    }

    @ParameterizedTest
    @CsvSource({"a1,a2", "a2,a1"})
    void a_cancelled_job_frees_its_key(String cancelled, String left) {
        log.receives(of("a", "a1"), of("a", "a2"), cancel(cancelled));
        starts(left);
    }

    @Test
    void a_running_job_that_is_cancelled_frees_its_key() {
        log.receives(of("a", "a1"), of("a", "a2"));
        starts("a1");
        log.receives(cancel("a1"));
        starts("a2");
    }

    @Test
    void a_job_that_is_scheduled_or_pending_keeps_its_place() {
        log.receives(
                of("a", "a1").delay(ofMinutes(1)), of("a", "a2"), of("b", "b1").pending(), of("b", "b2"));
        starts();
        log.receives(activate("b1"));
        starts("b1");
        log.receives(ack("b1"), ack("b2")).after(ofMinutes(1));
        starts("b2", "a1");
    }

    @Test
    void the_priority_of_the_first_job_of_a_key_decides() {
        log.receives(of("a", "a1"), of("a", "a2").priority(9), of("b", "b1").priority(5));
        log.receives(fetch().by("w")).replies().jobs("b1");
        log.receives(fetch().by("w")).replies().jobs("a1");
        log.receives(ack("a1"), enqueue("free").priority(7), fetch().by("w"))
                .replies()
                .jobs("a2");
    }

    @Test
    void keys_of_tenants_are_apart_and_so_are_queues() {
        log.receives(
                of("a", "t1").of("one"),
                of("a", "t2").of("two"),
                of("a", "other").to("p"));
        starts("t1", "t2");
        log.receives(fetch("p")).replies().jobs("other");
    }

    @Test
    void a_fetch_that_waits_gets_the_next_job_as_soon_as_the_one_before_has_ended() {
        log.receives(of("a", "a1"), of("a", "a2"));
        starts("a1");
        log.receives(fetch().waiting(ofMinutes(1)).as("waits")).keepsWaiting("waits");
        log.receives(ack("a1"));
        log.repliesTo("waits").jobs("a2");
    }

    @Test
    void a_queue_that_skips_lets_the_next_job_go_first_and_still_runs_one_at_a_time() {
        log.receives(order(null, true, null), of("a", "a1"), of("a", "a2"), of("a", "a3"));
        starts("a1");
        log.receives(nack("a1")).emits("job.failed", "job.retrying", "floodgate.order_skipped");
        log.event("floodgate.order_skipped").shows("order_key", "a").shows("reason", "on_failure");
        starts("a2");
        log.after(ofSeconds(1)).restarts();
        starts();
        log.receives(ack("a2"));
        starts("a1");
    }

    @Test
    void a_job_that_has_failed_comes_before_the_one_that_waits() {
        log.receives(order(null, true, null), of("a", "a1"), of("a", "a2"));
        starts("a1");
        log.receives(nack("a1")).after(ofSeconds(1));
        starts("a1");
    }

    @Test
    void a_queue_blocks_for_no_longer_than_it_is_told() {
        log.receives(order(null, null, ofSeconds(2)), of("a", "a1"), of("a", "a2"));
        starts("a1");
        log.receives(nack("a1")).after(ofSeconds(1));
        starts("a1");
        log.receives(nack("a1"));
        starts();
        log.after(ofSeconds(1)).emits("floodgate.order_skipped");
        log.event("floodgate.order_skipped").shows("reason", "block_at_most");
        starts("a2");
    }

    @Test
    void a_job_that_keeps_others_back_can_be_skipped() {
        log.receives(of("a", "a1").delay(ofMinutes(5)), of("a", "a2"), skip("a1"));
        starts("a2");
        log.receives(ack("a2"), skip("a2")).rejects(ErrorCode.CONFLICT);
        log.receives(enqueue("free"), skip("free")).rejects(ErrorCode.CONFLICT);
        log.after(ofMinutes(5));
        starts("free", "a1");
    }

    @ParameterizedTest
    @CsvSource({"args.order", "args.0.order", "meta.order", "x_record_key"})
    void a_queue_finds_the_key_in_the_job(String path) {
        log.receives(order(path, null, null));
        for (String job : new String[] {"j1", "j2"})
            log.receives(enqueue(job)
                    .member("args", "[{\"order\":17}]")
                    .member("meta", "{\"order\":17}")
                    .member("x_record_key", "\"17\""));
        log.receives(enqueue("none"));
        log.job("j2").shows("order_key", "17").shows("waiting.reason", "behind_key");
        starts("j1", "none");
    }

    @Test
    void drop_oldest_drops_jobs_that_wait_for_their_key_too() {
        log.receives(bound(2, Overflow.DROP_OLDEST), of("a", "a1"), of("a", "a2"));
        starts("a1");
        log.receives(of("a", "a3"));
        log.job("a2").is("discarded");
        log.receives(ack("a1"));
        starts("a3");
    }

    @Test
    void a_job_that_waits_for_its_key_says_for_which_one() {
        log.receives(of("a", "a1"), of("a", "a2"));
        log.job("a2")
                .shows("waiting.reason", "behind_key")
                .shows("waiting.order_key", "a")
                .shows("waiting.holder", Ids.id("a1").toString())
                .shows("waiting.holder_state", "available")
                .shows("waiting.jobs_of_key", 2);
        starts("a1");
        log.receives(nack("a1"));
        log.job("a2").shows("waiting.holder_state", "retryable").shows("waiting.holder_attempt", 1);
        log.job("a1").shows("waiting.reason", "retry");
    }

    @Test
    void a_queue_says_how_many_jobs_wait_for_their_keys_how_long_and_of_the_longest_key() {
        log.receives(of("a", "a1"), of("a", "a2"), of("b", "b1")).after(ofSeconds(1));
        log.receives(of("b", "b2"), of("b", "b3").priority(1), of("c", "c1"));
        log.status("q")
                .shows("behind_key", 3)
                .shows("longest_key", 3)
                .shows("behind_key_since", "2026-01-01T12:00:00.000Z");
        starts("a1", "b1", "c1");
        log.receives(ack("a1"), cancel("b3"));
        log.status("q")
                .shows("behind_key", 1)
                .shows("longest_key", 2)
                .shows("behind_key_since", "2026-01-01T12:00:01.000Z");
        log.restarts().status("q").shows("longest_key", 2);
        log.receives(ack("b1")).status("q").hides("behind_key", "longest_key");
    }

    /** As docs/how-to/keep-jobs-in-order.md says. */
    @Test
    void several_jobs_of_a_key_run_at_a_time_with_a_rate_limit_instead() {
        for (int i = 1; i <= 4; i++)
            log.receives(
                    enqueue("a" + i).member("rate_limit", "{\"key\":\"customer-17\",\"concurrency\":3}"),
                    enqueue("b" + i).member("rate_limit", "{\"key\":\"customer-18\",\"concurrency\":3}"));
        starts("a1", "b1", "a2", "b2", "a3", "b3");
        log.receives(nack("a2"));
        starts("a4");
        log.receives(ack("b3"));
        starts("b4");
    }

    /** Likewise. */
    @Test
    void a_saga_is_over_before_the_next_one_of_its_key_begins() {
        for (String saga : new String[] {"one-", "two-"})
            log.receives(batch(
                    of("order-17", saga + "reserve"),
                    of("order-17", saga + "charge")
                            .retry("{'jitter':false,'max_attempts':2,'on_exhaustion':'discard'}"),
                    of("order-17", saga + "ship"),
                    of("order-17", saga + "finish")));
        starts("one-reserve");
        log.receives(ack("one-reserve"));
        starts("one-charge");
        log.receives(nack("one-charge"));
        starts();
        log.after(ofSeconds(1));
        starts("one-charge");
        log.receives(nack("one-charge"));
        starts("one-ship");
        log.receives(ack("one-ship"));
        starts("one-finish");
        log.receives(nack("one-finish"));
        starts();
        log.after(ofSeconds(1));
        starts("one-finish");
        log.receives(ack("one-finish"));
        starts("two-reserve");
    }

    @Test
    void a_dead_letter_that_is_retried_takes_the_last_place() {
        log.receives(of("a", "a1").retry("{'max_attempts':1}"), of("a", "a2"));
        starts("a1");
        log.receives(nack("a1"), retryDead("a1"));
        starts("a2");
        log.receives(ack("a2"));
        starts("a1");
    }

    @Test
    void a_job_that_is_to_be_tried_again_sooner_keeps_its_place() {
        log.receives(of("a", "a1"), of("a", "a2"));
        starts("a1");
        log.receives(nack("a1"), retryJob("a1"));
        starts("a1");
        log.receives(ack("a1"));
        starts("a2");
    }

    @Test
    void tenants_take_turns_with_the_first_jobs_of_their_keys() {
        log.receives(decide("q", QueuePolicy.NONE.with(TenantFairness.ON)));
        log.receives(
                of("a", "x1").of("x"),
                of("a", "x2").of("x"),
                of("b", "x3").of("x"),
                of("a", "y1").of("y"));
        starts("x1", "y1", "x3");
        log.receives(ack("x1"), fetch().ofTenants("x").by("w"));
        log.replies().jobs("x2");
    }

    @Test
    void a_rate_limit_holds_only_the_first_job_of_a_key() {
        String limit = "{\"key\":\"api\",\"concurrency\":1}";
        log.receives(
                of("a", "a1").member("rate_limit", limit),
                of("a", "a2").member("rate_limit", limit),
                of("b", "b1").member("rate_limit", limit));
        starts("a1");
        log.receives(nack("a1"));
        starts("b1");
        log.receives(ack("b1"));
        starts();
        log.after(ofSeconds(1));
        starts("a1");
        log.receives(ack("a1"));
        starts("a2");
    }

    @Test
    void a_batch_comes_in_its_order() {
        log.receives(batch(of("a", "a3"), of("a", "a1"), of("a", "a2")));
        starts("a3");
        log.receives(ack("a3"));
        starts("a1");
    }

    @Test
    void a_key_has_a_length() {
        log.receives(enqueue("j1").member("order_key", "\"\"")).rejects(ErrorCode.INVALID_REQUEST);
        log.receives(enqueue("j1").member("order_key", "17")).rejects(ErrorCode.INVALID_REQUEST);
        log.receives(enqueue("j1").member("x_order_key", "\"17\""));
        log.job("j1").shows("order_key", "17");
        assertThat(log.job("j1").json().has("x_order_key")).isFalse();
    }
}
