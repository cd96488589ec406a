package io.floodgate.processor.queue;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetentionTest extends PartitionTest {
    @Test
    void completed_and_cancelled_jobs_are_kept_for_a_week_discarded_ones_for_thirty_days() {
        log.receives(enqueue("done"), enqueue("gone"), enqueue("dead"), fetch().count(3));
        log.receives(ack("done"), cancel("gone"), nack("dead").retryable(false));
        log.after(ofDays(7).minusMillis(1));
        assertThat(log.knows("done") && log.knows("gone")).isTrue();
        log.after(ofMillis(1)).emits();
        assertThat(log.knows("done") || log.knows("gone")).isFalse();
        log.status("q").shows("completed", 0).shows("cancelled", 0).shows("discarded", 1);
        log.after(ofDays(23).minusMillis(1));
        assertThat(log.knows("dead")).isTrue();
        log.after(ofMillis(1));
        assertThat(log.knows("dead")).isFalse();
        log.status("q").shows("discarded", 0).shows("dead", 0);
    }

    private static PartitionSettings keeping(Duration completed, Duration discarded, Duration cancelled) {
        return new PartitionSettings(completed, discarded, cancelled, Duration.ZERO, 0);
    }

    @Test
    void is_what_the_settings_say_for_each_way_to_end() {
        log.receives(configure(keeping(ofDays(1), ofDays(2), ofDays(3))));
        log.receives(enqueue("done"), enqueue("gone"), enqueue("dead"), fetch().count(3));
        log.receives(ack("done"), cancel("gone"), nack("dead").retryable(false));
        log.after(ofDays(1));
        assertThat(log.knows("done")).isFalse();
        assertThat(log.knows("dead")).isTrue();
        log.after(ofDays(1));
        assertThat(log.knows("dead")).isFalse();
        assertThat(log.knows("gone")).isTrue();
        log.after(ofDays(1));
        assertThat(log.knows("gone")).isFalse();
    }

    @Test
    void is_said_of_each_job_that_has_ended_as_it_is_now() {
        log.receives(configure(keeping(ofDays(1), ofDays(2), ofDays(3))));
        log.receives(enqueue("done"), enqueue("gone"), enqueue("dead"), enqueue("active"), fetch().count(4));
        log.receives(ack("done"), cancel("gone"), nack("dead").retryable(false));
        log.job("done").shows("kept_until", log.now().plus(ofDays(1)));
        log.job("dead").shows("kept_until", log.now().plus(ofDays(2)));
        log.job("gone").shows("kept_until", log.now().plus(ofDays(3)));
        log.job("active").hides("kept_until");
        log.receives(configure(keeping(ofDays(9), ofDays(2), ofDays(3))));
        log.job("done").shows("kept_until", log.now().plus(ofDays(9)));
    }

    @Test
    void that_is_prolonged_keeps_those_that_have_finished_already() {
        log.receives(enqueue("j1"), fetch(), ack("j1"), configure(keeping(ofDays(10), ofDays(30), ofDays(7))));
        log.after(ofDays(10).minusMillis(1));
        assertThat(log.knows("j1")).isTrue();
        log.after(ofMillis(1).plus(ofMinutes(1)));
        assertThat(log.knows("j1")).isFalse();
        assertThat(log.engine().nextTimer()).isNull();
    }

    @Test
    void of_no_time_at_all_removes_a_job_with_the_next_record() {
        log.receives(configure(keeping(Duration.ZERO, ofDays(1), ofDays(1))));
        for (int i = 0; i < 3; i++) log.receives(enqueue("j" + i), fetch(), ack("j" + i));
        log.after(ofMinutes(2));
        log.status("q").shows("completed", 0);
    }

    @Test
    void leaves_nothing_behind_but_the_queue() {
        log.receives(enqueue("j1"), fetch(), nack("j1"));
        log.after(ofSeconds(2)).receives(fetch(), ack("j1").result("{\"a\":1}"));
        log.after(ofDays(8));
        assertThat(log.state().entriesButPosition()).hasSize(1);
    }

    @Test
    void a_job_taken_back_by_a_retry_is_kept() {
        log.receives(enqueue("j1"), fetch(), nack("j1").retryable(false));
        log.after(ofDays(29)).receives(retryDead("j1"));
        log.after(ofDays(5)).job("j1").is("available");
        log.receives(fetch(), nack("j1").retryable(false));
        log.after(ofDays(29)).job("j1").is("discarded");
        log.after(ofDays(1).plusSeconds(61));
        assertThat(log.knows("j1")).isFalse();
    }

    @Test
    void goes_in_slices_so_that_no_other_client_has_to_wait() {
        // given
        int jobs = 250;
        log.unaudited()
                .receives(IntStream.range(0, jobs)
                        .mapToObj(i -> enqueue("j" + i))
                        .toArray(io.floodgate.processor.testing.Ask[]::new));
        log.receives(IntStream.range(0, jobs)
                .mapToObj(i -> cancel("j" + i))
                .toArray(io.floodgate.processor.testing.Ask[]::new));
        log.sleeps(ofDays(7));
        // when, then
        log.receives(tick());
        log.status("q").shows("cancelled", 150);
        log.receives(tick());
        log.status("q").shows("cancelled", 150);
        log.sleeps(ofMillis(10)).receives(tick());
        log.status("q").shows("cancelled", 50);
        log.after(ofSeconds(1));
        log.status("q").shows("cancelled", 0);
        log.agreesWithItself();
        assertThat(log.engine().nextTimer()).isNull();
    }

    @Test
    void jobs_that_end_one_after_the_other_are_not_looked_after_one_by_one() {
        for (int i = 0; i < 20; i++) {
            log.receives(enqueue("j" + i), cancel("j" + i));
            log.sleeps(ofSeconds(1));
        }
        int before = log.records().size();
        log.after(ofDays(7).plusSeconds(100));
        assertThat(log.records().size() - before).isLessThanOrEqualTo(3);
        log.status("q").shows("cancelled", 0);
    }

    @Test
    void an_idle_log_is_left_alone() {
        log.receives(enqueue("j1"), fetch(), ack("j1"));
        log.after(ofDays(8));
        assertThat(log.engine().nextTimer()).isNull();
    }

    @Test
    void a_fresh_start_knows_what_is_to_be_forgotten() {
        log.receives(enqueue("j1"), fetch(), ack("j1"));
        log.restarts().after(ofDays(7).plus(ofMinutes(1)));
        assertThat(log.knows("j1")).isFalse();
    }

    private static QueuePolicy keeps(Duration completed, Duration discarded, Duration cancelled, Duration letters) {
        return new QueuePolicy(
                JobDefaults.NONE,
                new Keeping(completed, discarded, cancelled, null, null, null),
                new DeadLettering(null, null, letters),
                Access.NONE);
    }

    @Test
    void is_what_the_queue_says_for_each_way_to_end() {
        log.receives(decide("q", keeps(ofDays(1), ofDays(2), ofDays(4), ofDays(3))));
        log.receives(enqueue("done"), enqueue("gone"), enqueue("dead"), enqueue("bad"), fetch().count(4));
        log.receives(
                ack("done"),
                cancel("gone"),
                nack("dead").retryable(false),
                nack("bad").code("DISCARD"));
        log.receives(enqueue("other").to("other"), fetch("other"), ack("other"));
        for (String next : new String[] {"done", "bad", "dead", "gone"}) {
            log.after(ofDays(1).minusMillis(1));
            assertThat(log.knows(next)).as(next).isTrue();
            log.after(ofMillis(1));
            assertThat(log.knows(next)).as(next).isFalse();
        }
        assertThat(log.knows("other")).isTrue();
    }

    @Test
    void of_all_queues_holds_where_a_queue_says_nothing() {
        log.receives(decide(QueueConfig.DEFAULT, keeps(ofDays(1), ofDays(1), ofDays(1), ofDays(2))));
        log.receives(
                enqueue("j1"),
                fetch(),
                ack("j1"),
                enqueue("j2"),
                fetch(),
                nack("j2").retryable(false));
        log.after(ofDays(1));
        assertThat(log.knows("j1")).isFalse();
        assertThat(log.knows("j2")).isTrue();
        log.after(ofDays(1));
        assertThat(log.knows("j2")).isFalse();
    }

    @Test
    void that_a_queue_prolongs_keeps_those_that_have_finished_already() {
        log.receives(enqueue("j1"), fetch(), ack("j1"));
        log.receives(decide("q", keeps(ofDays(10), ofDays(1), ofDays(1), ofDays(1))));
        log.after(ofDays(10).minusMillis(1));
        assertThat(log.knows("j1")).isTrue();
        log.after(ofMillis(1).plus(ofMinutes(1)));
        assertThat(log.knows("j1")).isFalse();
    }

    @Test
    void that_a_queue_shortens_is_for_those_that_finish_from_then_on() {
        log.receives(enqueue("before"), fetch(), ack("before"));
        log.receives(decide("q", keeps(ofDays(1), ofDays(1), ofDays(1), ofDays(1))));
        log.receives(enqueue("later"), fetch(), ack("later"));
        log.after(ofDays(1).plusMinutes(1));
        assertThat(log.knows("later")).isFalse();
        assertThat(log.knows("before")).isTrue();
        log.after(ofDays(6));
        assertThat(log.knows("before")).isFalse();
    }

    private static QueuePolicy keepsOnly(@Nullable Long completed, @Nullable Long discarded, @Nullable Long cancelled) {
        return QueuePolicy.NONE.with(new Keeping(null, null, null, completed, discarded, cancelled));
    }

    @Test
    void of_so_many_keeps_the_latest_ones() {
        log.receives(decide("q", keepsOnly(2L, 1L, 0L)));
        for (String job : List.of("j1", "j2", "j3")) log.sleeps(ofSeconds(1)).receives(enqueue(job), fetch(), ack(job));
        assertThat(log.knows("j1")).isFalse();
        assertThat(log.knows("j2") && log.knows("j3")).isTrue();
        for (String job : List.of("d1", "d2"))
            log.sleeps(ofSeconds(1)).receives(enqueue(job), fetch(), nack(job).retryable(false));
        assertThat(log.knows("d1")).isFalse();
        assertThat(log.knows("d2")).isTrue();
        log.receives(enqueue("c1"), cancel("c1"));
        assertThat(log.knows("c1")).isFalse();
        log.status("q")
                .shows("completed", 2)
                .shows("discarded", 1)
                .shows("dead", 1)
                .shows("cancelled", 0);
    }

    @Test
    void of_so_many_is_for_each_queue_by_itself() {
        log.receives(decide(QueueConfig.DEFAULT, keepsOnly(1L, null, null)));
        log.receives(enqueue("j1"), fetch(), ack("j1"));
        log.receives(enqueue("j2").to("other"), fetch("other"), ack("j2"));
        assertThat(log.knows("j1") && log.knows("j2")).isTrue();
    }

    @Test
    void of_so_many_takes_nothing_away_that_was_there_before() {
        for (String job : List.of("j1", "j2")) log.receives(enqueue(job), fetch(), ack(job));
        log.receives(decide("q", keepsOnly(1L, null, null)));
        for (String job : List.of("j3", "j4")) log.sleeps(ofSeconds(1)).receives(enqueue(job), fetch(), ack(job));
        assertThat(log.knows("j1") && log.knows("j2") && log.knows("j4")).isTrue();
        assertThat(log.knows("j3")).isFalse();
    }

    @Test
    void of_so_many_does_not_count_those_that_live_again_or_are_gone() {
        log.receives(decide("q", keepsOnly(null, 2L, null)));
        for (String job : List.of("d1", "d2"))
            log.sleeps(ofSeconds(1)).receives(enqueue(job), fetch(), nack(job).retryable(false));
        log.receives(
                retryDead("d1"), enqueue("d3"), fetch().count(2), nack("d3").retryable(false));
        assertThat(log.knows("d1") && log.knows("d2") && log.knows("d3")).isTrue();
        log.sleeps(ofSeconds(1)).receives(nack("d1").retryable(false));
        assertThat(log.knows("d2")).isFalse();
        assertThat(log.knows("d1") && log.knows("d3")).isTrue();
    }

    @Test
    void of_fewer_than_there_are_goes_in_slices() {
        log.unaudited().receives(decide("q", keepsOnly(null, null, 1_000L)));
        for (int i = 0; i < 250; i++) log.receives(enqueue("j" + i), cancel("j" + i));
        log.sleeps(ofSeconds(1)).receives(decide("q", keepsOnly(null, null, 10L)));
        log.status("q").shows("cancelled", 250);
        for (long left : new long[] {151, 52, 10}) {
            log.receives(enqueue("more" + left), cancel("more" + left));
            log.status("q").shows("cancelled", left);
        }
        log.agreesWithItself();
    }

    @Test
    void dead_letters_may_have_a_number_of_their_own() {
        log.receives(decide("q", QueuePolicy.NONE.with(new DeadLettering(null, 1L, null))));
        log.receives(enqueue("bad"), fetch(), nack("bad").code("DISCARD"));
        for (String job : List.of("d1", "d2"))
            log.sleeps(ofSeconds(1)).receives(enqueue(job), fetch(), nack(job).retryable(false));
        assertThat(log.knows("bad") && log.knows("d2")).isTrue();
        assertThat(log.knows("d1")).isFalse();
    }

    @Test
    void dead_letters_are_all_kept_if_their_number_is_zero() {
        log.receives(decide("q", QueuePolicy.NONE.with(new DeadLettering(null, 0L, null))));
        for (String job : List.of("d1", "d2"))
            log.receives(enqueue(job), fetch(), nack(job).retryable(false));
        log.after(ofSeconds(1));
        assertThat(log.knows("d1") && log.knows("d2")).isTrue();
    }

    @Test
    void of_so_many_leaves_nothing_behind() {
        log.receives(decide("q", keepsOnly(5L, null, null)), enqueue("j1"), fetch(), ack("j1"));
        log.restarts().after(ofDays(8));
        assertThat(log.knows("j1")).isFalse();
        assertThat(log.state().entriesButPosition()).hasSize(2);
    }
}
