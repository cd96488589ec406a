package io.floodgate.processor.queue;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.Ids;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.queue.Overflow;
import org.junit.jupiter.api.Test;

/** The facts that an explanation of a queue is made of. */
class ExplainQueueTest extends PartitionTest {
    private static final String LIMITED = "{\"key\":\"api\",\"concurrency\":1}";

    private Shown facts() {
        log.receives(ask(new ExplainQueue("q")));
        return log.replies().shown();
    }

    @Test
    void of_an_unused_queue_there_is_its_status() {
        facts().shows("name", "q").shows("depth", 0).hides("created_at", "last_fetched_at", "runs", "ready");
    }

    @Test
    void who_waits_for_jobs() {
        log.receives(enqueue("j1"), fetch().only("other").by("w1").waiting(ofSeconds(30)));
        facts().shows("waiting_fetches.count", 1)
                .shows("waiting_fetches.first.0.worker_id", "w1")
                .showsJson("waiting_fetches.first.0.types", "[\"other\"]")
                .shows("fetched_types.0.worker_id", "w1")
                .shows("ready.types_not_fetched.0.type", "test.job")
                .shows("ready.types_not_fetched.0.job_id", Ids.id("j1").toString());
    }

    @Test
    void who_waits_for_capacity() {
        log.receives(bound(1, Overflow.BLOCK), enqueue("j1"), patient(ofMinutes(1), enqueue("j2")));
        facts().shows("waiting_producers.count", 1)
                .shows("waiting_producers.first.0.jobs", 1)
                .shows("waiting_producers.first.0.since", TestPartition.START)
                .shows("full_since", TestPartition.START);
    }

    @Test
    void a_queue_is_full_since_it_became_so() {
        log.receives(bound(1, Overflow.REJECT), enqueue("j1"))
                .sleeps(ofMinutes(10))
                .receives(enqueue("j2"));
        log.restarts();
        facts().shows("full_since", TestPartition.START);
        log.receives(bound(5, Overflow.REJECT));
        facts().hides("full_since");
    }

    @Test
    void who_runs_its_jobs_and_for_how_long() {
        log.receives(
                enqueue("j1"),
                enqueue("j2"),
                enqueue("other").to("other"),
                fetch().by("w1").count(2));
        log.receives(fetch("other").by("w2"));
        facts().shows("runs.sampled", 2)
                .shows("runs.workers", 1)
                .shows("runs.by_worker.0.worker_id", "w1")
                .shows("runs.by_worker.0.active", 2)
                .shows("runs.longest.0.started_at", TestPartition.START);
    }

    @Test
    void the_keys_that_hold_jobs_back() {
        log.receives(enqueue("j1").member("rate_limit", LIMITED), enqueue("j2").member("rate_limit", LIMITED));
        log.receives(fetch().count(1), fetch().count(1));
        facts().shows("limited.jobs", 1)
                .shows("limited.first.0.key", "api")
                .shows("limited.first.0.strategy", "concurrency")
                .shows("limited.first.0.limit", 1);
    }

    @Test
    void how_runs_have_failed() {
        log.receives(enqueue("j1"), enqueue("j2").maxAttempts(1), fetch().count(2));
        log.receives(nack("j1").type("SmtpError"), nack("j2").type("SmtpError"));
        facts().shows("errors.sampled", 2)
                .shows("errors.first.0.type", "SmtpError")
                .shows("errors.first.0.count", 2)
                .shows("errors.first.0.message", "it broke")
                .shows("recent.failed", 2)
                .shows("later.sampled", 1);
        log.sleeps(ofHours(2));
        facts().hides("errors").shows("recent.failed", 0);
    }

    @Test
    void when_the_last_fetch_came_to_it() {
        log.receives(enqueue("a1").to("a"), enqueue("j1"), fetch("a", "q").count(1));
        facts().shows("last_fetched_at", TestPartition.START)
                .shows("passed_over", true)
                .hides("last_reached_at");
        log.receives(fetch("a", "q").count(1)).restarts();
        facts().shows("passed_over", false).shows("last_reached_at", TestPartition.START);
    }

    @Test
    void a_fetch_that_waited_before_the_queue_came_counts_as_a_fetch() {
        log.receives(
                fetch().by("w1").waiting(ofSeconds(30)),
                enqueue("j1"),
                ack("j1").by("w1"),
                enqueue("j2"));
        facts().shows("last_fetched_at", TestPartition.START).shows("available", 1);
    }

    @Test
    void jobs_that_were_dropped_lately() {
        log.receives(bound(1, Overflow.DROP_OLDEST), enqueue("j1"), enqueue("j2"), enqueue("j3"));
        facts().shows("dropped", 2).shows("dropped_last_hour", 2).shows("recent.dropped", 2);
        log.sleeps(ofHours(2));
        facts().shows("dropped", 2).shows("dropped_last_hour", 0).shows("recent.dropped", 0);
    }

    @Test
    void when_the_last_dead_letter_came() {
        log.receives(enqueue("j1").maxAttempts(1), enqueue("j2").maxAttempts(1), fetch().count(2));
        log.receives(nack("j1")).sleeps(ofSeconds(5)).receives(nack("j2"));
        log.restarts();
        facts().shows("dead", 2).shows("last_dead_at", TestPartition.START.plusSeconds(5));
    }

    @Test
    void who_paused_it_and_why() {
        log.receives(enqueue("j1"), ask(new Pause("q", "the mail server is down")));
        log.event("queue.paused").shows("reason", "the mail server is down");
        log.restarts().receives(getQueue("q")).replies().shown().shows("paused_reason", "the mail server is down");
    }

    @Test
    void maintenance_is_told() {
        log.receives(enqueue("j1"), maintain(true));
        facts().shows("maintenance", true).shows("maintenance_reason", "a new disk");
    }
}
