package io.floodgate.processor.queue;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.command.PartitionSettings;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Unused queues are forgotten: names made up for one occasion must not pile up. */
class UnusedQueueTest extends PartitionTest {
    private static final PartitionSettings SETTINGS =
            new PartitionSettings(Duration.ofDays(1), ofDays(1), ofDays(1), ofHours(1), 0);

    @BeforeEach
    void are_forgotten_after_an_hour() {
        log.receives(configure(SETTINGS));
    }

    private void isUsed(String queue) {
        log.receives(enqueue("j").to(queue), fetch(queue), ack("j"));
    }

    @Test
    void an_hour_after_the_last_finished_job_is_gone_so_is_its_queue() {
        // given
        isUsed("q");
        // when, then
        log.after(ofDays(1));
        log.status("q").shows("completed", 0);
        log.after(ofHours(1).minusMillis(1));
        assertThat(log.engine().queueNames()).containsExactly("q");
        log.after(ofMillis(1)).emits();
        assertThat(log.engine().queueNames()).isEmpty();
        assertThat(log.changedQueues()).containsExactly("q");
        assertThat(log.engine().status("q")).isEmpty();
        assertThat(log.state().entriesButPosition().keySet()).noneMatch(key -> key.startsWith("entities/51"));
        assertThat(log.engine().nextTimer()).isNull();
    }

    @Test
    void it_is_a_new_one_when_it_is_used_again_and_its_status_is_newer_than_any_before() {
        isUsed("q");
        long before = log.status("q").number("version");
        log.after(ofDays(2)).receives(enqueue("j2")).emits("queue.created", "job.enqueued");
        assertThat(log.status("q").number("version")).isGreaterThan(before);
        log.status("q").shows("created_at", log.now()).shows("available", 1);
    }

    @Test
    void one_with_a_job_of_any_kind_stays() {
        log.receives(
                enqueue("j1").pending(),
                enqueue("j2").to("dead"),
                fetch("dead"),
                nack("j2").retryable(false));
        log.after(ofHours(20));
        assertThat(log.engine().queueNames()).containsExactly("dead", "q");
        log.receives(deleteDead("j2")).after(ofHours(1));
        assertThat(log.engine().queueNames()).containsExactly("q");
    }

    @Test
    void one_that_is_paused_stays() {
        log.receives(pause("q")).after(ofDays(30));
        assertThat(log.engine().queueNames()).containsExactly("q");
        log.receives(resume("q")).after(ofHours(1));
        assertThat(log.engine().queueNames()).isEmpty();
    }

    @Test
    void one_at_which_a_client_waits_stays_until_no_client_does() {
        isUsed("q");
        log.after(ofDays(1))
                .receives(fetch().waiting(ofHours(5)).as("a"), watch(ofHours(6)).as("b"));
        log.after(ofHours(5));
        assertThat(log.engine().queueNames()).containsExactly("q");
        log.after(ofHours(1).plus(ofMinutes(1)));
        assertThat(log.engine().queueNames()).isEmpty();
    }

    @Test
    void also_when_they_think_better_of_it() {
        isUsed("q");
        log.after(ofDays(1)).receives(fetch().waiting(ofHours(5)).as("a"));
        log.after(ofHours(2)).receives(withdraw("a")).after(ofMinutes(1));
        assertThat(log.engine().queueNames()).isEmpty();
    }

    @Test
    void one_that_was_left_before_there_was_such_a_setting_is_forgotten_too() {
        TestPartition older = new TestPartition();
        older.receives(enqueue("j1"), fetch(), ack("j1")).after(ofDays(8));
        assertThat(older.engine().queueNames()).containsExactly("q");
        assertThat(older.engine().nextTimer()).isNull();
        older.receives(configure(SETTINGS)).after(ofSeconds(1));
        assertThat(older.engine().queueNames()).isEmpty();
    }

    @Test
    void a_fresh_start_knows_of_it() {
        isUsed("q");
        log.after(ofDays(1)).restarts().after(ofHours(1));
        assertThat(log.engine().queueNames()).isEmpty();
    }

    @Test
    void many_names_used_once_leave_nothing_behind() {
        log.unaudited();
        for (int i = 0; i < 3_000; i++)
            log.receives(
                    enqueue("j" + i).to("queue-" + i),
                    fetch("queue-" + i, "never-" + i).as("a"),
                    ack("j" + i));
        log.after(ofDays(2));
        assertThat(log.engine().queueNames()).isEmpty();
        assertThat(log.state().entriesButPosition()).hasSize(0);
        assertThat(log.engine().memoryBytes()).isZero();
        log.agreesWithItself();
    }

    @Test
    void to_look_at_one_or_wait_at_it_is_not_to_use_it() {
        log.receives(
                getQueue("q"),
                resume("q"),
                fetch().waiting(ofSeconds(1)).as("a"),
                watch(ofSeconds(1)).as("b"));
        log.after(ofSeconds(1));
        assertThat(log.engine().queueNames()).isEmpty();
        assertThat(log.state().entriesButPosition()).hasSize(0);
    }
}
