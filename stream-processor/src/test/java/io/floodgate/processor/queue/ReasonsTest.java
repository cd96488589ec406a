package io.floodgate.processor.queue;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.Shown;
import io.floodgate.processor.testing.TestPartition;
import org.junit.jupiter.api.Test;

class ReasonsTest extends PartitionTest {
    private Shown why(String job, String reason) {
        return log.job(job).shows("waiting.reason", reason);
    }

    @Test
    void its_time_has_not_come() {
        log.receives(enqueue("j1").member("scheduled_at", "\"2026-01-01T13:00:00Z\""));
        why("j1", "scheduled").shows("waiting.until", "2026-01-01T13:00:00.000Z");
    }

    @Test
    void its_next_attempt_has_to_wait() {
        log.receives(enqueue("j1"), fetch(), nack("j1"));
        Shown shown = why("j1", "retry");
        shown.shows("waiting.until", shown.text("next_attempt_at"));
    }

    @Test
    void a_worker_has_it() {
        log.receives(enqueue("j1"), fetch().by("w1").lease(ofMinutes(1)));
        why("j1", "running")
                .shows("waiting.worker_id", "w1")
                .shows("waiting.until", TestPartition.START.plusSeconds(60));
    }

    @Test
    void no_client_has_activated_it() {
        log.receives(enqueue("j1").member("pending", "true"));
        why("j1", "not_activated");
    }

    @Test
    void its_queue_is_paused() {
        log.receives(enqueue("j1"), fetch("q").count(1), enqueue("j2"), pause("q"));
        why("j2", "queue_paused").shows("waiting.since", TestPartition.START).shows("waiting.position", 1);
    }

    @Test
    void no_client_fetches_from_its_queue() {
        log.receives(enqueue("j1"), enqueue("j2"));
        why("j2", "nobody_fetches").shows("waiting.position", 2);
        log.receives(fetch());
        why("j2", "workers_busy").shows("waiting.position", 1);
        log.sleeps(ofHours(1)).restarts();
        why("j2", "nobody_fetches").shows("waiting.last_fetched_at", TestPartition.START);
    }

    @Test
    void who_watches_a_queue_fetches_from_it() {
        log.receives(enqueue("j1"), watch(ZERO));
        why("j1", "workers_busy");
    }

    @Test
    void others_are_before_it() {
        log.receives(fetch(), enqueue("j1"), enqueue("j2"), enqueue("j3").member("priority", "5"), enqueue("j4"));
        log.receives(fetch("other"), watch(ZERO));
        why("j3", "workers_busy").shows("waiting.position", 1);
        why("j1", "workers_busy").shows("waiting.position", 2);
        why("j4", "workers_busy").shows("waiting.position", 4).shows("waiting.ahead_higher_priority", 1);
    }

    @Test
    void no_worker_asks_for_its_type() {
        log.receives(enqueue("j1").type("a"), enqueue("j2").type("b"), fetch().only("c"));
        why("j1", "type_not_fetched");
        log.receives(fetch().only("b"));
        why("j1", "type_not_fetched");
        log.receives(enqueue("j3").type("b")).restarts();
        why("j3", "workers_busy");
        log.sleeps(ofMinutes(1)).receives(fetch().only("c")).sleeps(ofMinutes(1));
        why("j3", "type_not_fetched");
    }

    @Test
    void fetches_are_served_by_other_queues() {
        log.receives(enqueue("a1").to("a"), enqueue("a2").to("a"), enqueue("a3").to("a"), enqueue("j1"));
        log.receives(fetch("a", "q")).sleeps(ofMinutes(1)).receives(fetch("a", "q"));
        why("j1", "workers_busy");
        log.sleeps(ofMinutes(1));
        why("j1", "starved");
        log.receives(enqueue("j2"), fetch("q", "a"));
        why("j2", "workers_busy");
    }

    @Test
    void the_server_is_maintained() {
        log.receives(enqueue("j1"), maintain(true));
        why("j1", "maintenance").shows("waiting.maintenance_reason", "a new disk");
    }

    @Test
    void of_a_job_that_has_ended_there_is_none() {
        log.receives(enqueue("j1"), fetch(), ack("j1"));
        log.job("j1").hides("waiting");
    }

    @Test
    void are_reported_to_who_asks_and_not_with_every_answer() {
        log.sleeps(ofSeconds(1)).receives(enqueue("j1"), fetch());
        log.replies().shown().hides("waiting");
    }
}
