package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PulseTest {
    private final AtomicLong time = new AtomicLong();
    private final Pulse pulse = new Pulse(time::get);

    @Test
    void what_others_have_written_before_is_not_taken_for_being_behind() {
        pulse.appended(1_000_000);
        assertThat(pulse.recordsBehind()).isEqualTo(1);
        pulse.carriedOut(1_000_000);

        pulse.appended(2_000_000);

        assertThat(pulse.recordsBehind()).isEqualTo(1);
    }

    @Test
    void what_others_write_behind_one_that_waits_counts() {
        pulse.appended(10);
        pulse.appended(5_000);
        assertThat(pulse.recordsBehind()).isEqualTo(4_991);
        pulse.carriedOut(10);
        assertThat(pulse.recordsBehind()).isEqualTo(4_990);
    }

    @Test
    void what_nobody_waits_for_any_more_is_not_behind() {
        pulse.appended(10);
        pulse.abandoned();
        assertThat(pulse.recordsBehind()).isZero();

        pulse.appended(2_000_000);

        assertThat(pulse.recordsBehind()).isEqualTo(1);
    }

    @Test
    void answers_that_come_out_of_order_do_not_lead_back() {
        pulse.appended(10);
        pulse.appended(12);
        pulse.appended(14);
        pulse.carriedOut(12);
        pulse.carriedOut(10);
        assertThat(pulse.recordsBehind()).isEqualTo(2);
    }

    @Test
    void one_slow_answer_says_little_and_many_say_all() {
        pulse.took(Duration.ofSeconds(16).toNanos());
        assertThat(pulse.roundTrip()).isEqualTo(Duration.ofSeconds(1));

        for (int i = 0; i < 200; i++) pulse.took(Duration.ofSeconds(16).toNanos());

        assertThat(pulse.roundTrip()).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(16));
    }

    @Test
    void a_slow_answer_after_a_while_says_as_little_as_one_among_others() {
        for (int i = 0; i < 200; i++) pulse.took(Duration.ofMillis(16).toNanos());
        time.addAndGet(Duration.ofSeconds(2).toNanos());

        pulse.took(Duration.ofSeconds(16).toNanos());

        assertThat(pulse.roundTrip()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void after_a_second_nothing_is_known() {
        pulse.took(Duration.ofSeconds(40).toNanos());
        time.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(pulse.roundTrip()).isZero();
    }
}
