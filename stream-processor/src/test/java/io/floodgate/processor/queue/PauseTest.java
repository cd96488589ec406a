package io.floodgate.processor.queue;

import static io.floodgate.topics.command.ErrorCode.INVALID_QUEUE;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PauseTest extends PartitionTest {
    @Test
    void nothing_starts_in_a_paused_queue() {
        log.receives(enqueue("j1"), pause("q")).emits("queue.created", "job.enqueued", "queue.paused");
        log.replies().shown().is("paused").shows("paused", true).shows("paused_at", TestPartition.START);
        log.receives(fetch()).replies().nothing();
    }

    @Test
    void a_paused_queue_takes_jobs_in() {
        log.receives(pause("q"), enqueue("j1")).replies().shown().is("available");
        log.status("q").is("paused").shows("available", 1);
    }

    @Test
    void what_runs_may_end() {
        log.receives(enqueue("j1"), enqueue("j2"), fetch().count(2), pause("q"), ack("j1"), nack("j2"));
        log.job("j1").is("completed");
        log.after(ofSeconds(2)).job("j2").is("available");
        log.receives(fetch()).replies().nothing();
    }

    @Test
    void resumed_it_goes_on() {
        log.receives(enqueue("j1"), pause("q"));
        log.sleeps(ofHours(1)).receives(resume("q")).emits("queue.resumed");
        log.replies().shown().is("active").shows("paused", false).hides("paused_at");
        log.receives(fetch()).replies().jobs("j1");
    }

    @Test
    void a_second_pause_changes_nothing() {
        log.receives(pause("q"));
        var before = log.state().entriesButPosition();
        log.sleeps(ofSeconds(5)).receives(pause("q")).emits().replies().shown().shows("paused_at", TestPartition.START);
        assertThat(log.state().entriesButPosition()).isEqualTo(before);
        log.receives(resume("q"));
        before = log.state().entriesButPosition();
        log.receives(resume("q")).emits();
        assertThat(log.state().entriesButPosition()).isEqualTo(before);
    }

    @Test
    void a_queue_can_be_paused_before_its_first_job() {
        log.receives(pause("q")).emits("queue.created", "queue.paused");
        log.status("q").is("paused").shows("depth", 0);
    }

    @Test
    void the_answer_has_the_version_that_is_published() {
        for (int i = 0; i < 2; i++) {
            log.receives(pause("q"));
            log.replies().shown().shows("version", log.status("q").number("version"));
            log.sleeps(ofSeconds(1)).receives(resume("q"));
            log.replies().shown().shows("version", log.status("q").number("version"));
        }
    }

    @Test
    void survives_a_restart() {
        log.receives(enqueue("j1"), pause("q"));
        log.restarts().receives(fetch()).replies().nothing();
    }

    @Test
    void a_queue_no_client_has_used_is_shown_with_zeros() {
        log.receives(getQueue("q")).emits();
        log.replies().shown().is("active").shows("depth", 0).shows("version", 0).hides("created_at", "updated_at");
        assertThat(log.engine().queueNames()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Upper", "two words", "-q", "q\u00fc", "\ud800"})
    void a_name_that_no_job_could_have_is_rejected(String name) {
        log.receives(pause(name)).rejects(INVALID_QUEUE);
        assertThat(log.engine().queueNames()).isEmpty();
    }
}
