package io.floodgate.processor.queue;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import org.junit.jupiter.api.Test;

class MaintenanceTest extends PartitionTest {
    @Test
    void no_client_gets_a_job_but_jobs_come_in_and_end() {
        log.receives(enqueue("j1"), fetch(), maintain(true));
        log.replies().shown().shows("maintenance", true).shows("maintenance_since", TestPartition.START);

        log.receives(enqueue("j2"), fetch()).replies().nothing();
        log.receives(watch(ZERO)).replies().ready(false);
        log.receives(ack("j1")).replies().shown().is("completed");
        log.job("j2").is("available");
    }

    @Test
    void survives_a_restart() {
        log.receives(enqueue("j1"), maintain(true));
        log.restarts();
        log.receives(fetch()).replies().nothing();
    }

    @Test
    void who_waits_gets_a_job_as_soon_as_it_is_over() {
        log.receives(maintain(true), fetch().waiting(ofSeconds(30)).as("worker"), enqueue("j1"));
        log.keepsWaiting("worker");

        log.receives(maintain(false), tick());

        log.repliesTo("worker").jobs("j1");
        log.receives(enqueue("j2"), fetch()).replies().jobs("j2");
    }

    @Test
    void is_reported_once() {
        log.receives(maintain(true)).emits("floodgate.maintenance_began");
        log.receives(maintain(true)).emits();
        log.receives(maintain(false)).emits("floodgate.maintenance_ended");
        log.receives(maintain(false)).emits();
    }

    @Test
    void ends_with_a_reset() {
        log.receives(maintain(true), reset(), tick(), tick(), tick());
        log.receives(enqueue("j1"), fetch()).replies().jobs("j1");
    }
}
