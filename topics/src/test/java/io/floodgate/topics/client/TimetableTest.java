package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimetableTest {
    private static final long MILLISECOND = 1_000_000;

    private final Timetable timetable = new Timetable();

    private void answersAfter(long nanos) {
        for (int i = 0; i < 100; i++) timetable.took(nanos);
    }

    @Test
    void few_leave_at_once() {
        answersAfter(MILLISECOND);
        for (int i = 0; i < 8; i++) assertThat(timetable.mayLeave(1, 0)).isTrue();
        assertThat(timetable.mayLeave(1, 0)).isFalse();
    }

    @Test
    void many_leave_again_when_kafka_has_had_time_for_two_and_a_half_answers() {
        answersAfter(MILLISECOND);
        assertThat(timetable.mayLeave(20, 0)).isTrue();
        assertThat(timetable.next()).isBetween(24 * MILLISECOND / 10, 25 * MILLISECOND / 10);
        assertThat(timetable.mayLeave(1, timetable.next())).isTrue();
    }

    @Test
    void who_waits_for_a_departure_is_not_passed_by_others_and_the_departure_is_not_put_off() {
        answersAfter(MILLISECOND);
        assertThat(timetable.mayLeave(20, 0)).isTrue();
        long next = timetable.next();
        assertThat(timetable.mayLeave(1, next - 1)).isFalse();
        assertThat(timetable.mayLeave(1, next + 1)).isFalse();
        assertThat(timetable.next()).isEqualTo(next);
        timetable.depart(next + 2, 2);
        assertThat(timetable.mayLeave(1, next + 3)).isTrue();
    }

    @Test
    void nobody_waits_for_long_when_kafka_is_slow() {
        answersAfter(100 * MILLISECOND);
        timetable.depart(0, 20);
        assertThat(timetable.next()).isEqualTo(4 * MILLISECOND);
    }

    @Test
    void who_comes_after_few_have_left_together_leaves_at_once() {
        answersAfter(MILLISECOND);
        timetable.depart(0, 3);
        assertThat(timetable.mayLeave(1, 1)).isTrue();
    }

    @Test
    void as_long_as_kafka_has_not_answered_nobody_waits() {
        for (int i = 0; i < 100; i++) assertThat(timetable.mayLeave(1, i)).isTrue();
    }
}
