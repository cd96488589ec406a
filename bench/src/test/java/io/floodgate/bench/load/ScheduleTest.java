package io.floodgate.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduleTest {
    @Test
    void operations_are_due_at_equal_distances() {
        Schedule schedule = new Schedule(1_000, 1e6);
        assertThat(schedule.next()).isEqualTo(1_000);
        assertThat(schedule.next()).isEqualTo(2_000);
        assertThat(schedule.next()).isEqualTo(3_000);
    }

    @Test
    void a_rate_that_does_not_divide_a_second_does_not_drift() {
        Schedule schedule = new Schedule(0, 3);
        assertThat(schedule.due(3_000_000)).isEqualTo(1_000_000_000_000_000L);
    }

    @Test
    void what_was_due_and_never_taken_is_missed() {
        Schedule schedule = new Schedule(0, 1e9);
        for (int i = 0; i < 4; i++) schedule.next();
        assertThat(schedule.missedBefore(4)).isZero();
        assertThat(schedule.missedBefore(10)).isEqualTo(6);
    }

    @Test
    void what_is_due_at_the_end_is_not_missed() {
        Schedule schedule = new Schedule(0, 1e6);
        schedule.next();
        assertThat(schedule.missedBefore(1_000)).isZero();
        assertThat(schedule.missedBefore(1_001)).isEqualTo(1);
    }
}
