package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LatencyTrackerTest {
    private final AtomicLong time = new AtomicLong();
    private final LatencyTracker latencyTracker = new LatencyTracker(time::get);

    @Test
    void what_others_have_written_before_is_not_taken_for_being_behind() {
        latencyTracker.appended(1_000_000);
        assertThat(latencyTracker.recordsBehind()).isEqualTo(1);
        latencyTracker.carriedOut(1_000_000);

        latencyTracker.appended(2_000_000);

        assertThat(latencyTracker.recordsBehind()).isEqualTo(1);
    }

    @Test
    void what_others_write_behind_one_that_waits_counts() {
        latencyTracker.appended(10);
        latencyTracker.appended(5_000);
        assertThat(latencyTracker.recordsBehind()).isEqualTo(4_991);
        latencyTracker.carriedOut(10);
        assertThat(latencyTracker.recordsBehind()).isEqualTo(4_990);
    }

    @Test
    void what_no_client_waits_for_any_more_is_not_behind() {
        latencyTracker.appended(10);
        latencyTracker.abandoned();
        assertThat(latencyTracker.recordsBehind()).isZero();

        latencyTracker.appended(2_000_000);

        assertThat(latencyTracker.recordsBehind()).isEqualTo(1);
    }

    @Test
    void answers_that_come_out_of_order_do_not_lead_back() {
        latencyTracker.appended(10);
        latencyTracker.appended(12);
        latencyTracker.appended(14);
        latencyTracker.carriedOut(12);
        latencyTracker.carriedOut(10);
        assertThat(latencyTracker.recordsBehind()).isEqualTo(2);
    }

    @Test
    void one_slow_answer_says_little_and_many_say_all() {
        latencyTracker.took(Duration.ofSeconds(16).toNanos());
        assertThat(latencyTracker.roundTrip()).isEqualTo(Duration.ofSeconds(1));

        for (int i = 0; i < 200; i++) latencyTracker.took(Duration.ofSeconds(16).toNanos());

        assertThat(latencyTracker.roundTrip()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(16));
    }

    @Test
    void a_slow_answer_after_a_while_says_as_little_as_one_among_others() {
        for (int i = 0; i < 200; i++) latencyTracker.took(Duration.ofMillis(16).toNanos());
        time.addAndGet(Duration.ofSeconds(2).toNanos());

        latencyTracker.took(Duration.ofSeconds(16).toNanos());

        assertThat(latencyTracker.roundTrip()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void after_a_second_nothing_is_known() {
        latencyTracker.took(Duration.ofSeconds(40).toNanos());
        time.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(latencyTracker.roundTrip()).isZero();
    }
}
