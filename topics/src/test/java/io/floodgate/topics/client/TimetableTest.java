package io.floodgate.topics.client;

import static io.floodgate.topics.client.Timetable.FEW;
import static io.floodgate.topics.client.Timetable.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimetableTest {
    private final Timetable timetable = new Timetable();

    @Test
    void few_leave_at_once() {
        for (int i = 0; i < FEW; i++) assertThat(timetable.mayLeave(1, 0)).isTrue();
        assertThat(timetable.mayLeave(1, 0)).isFalse();
    }

    @Test
    void few_leave_at_once_in_each_interval() {
        for (int i = 0; i < 10 * FEW; i++)
            assertThat(timetable.mayLeave(1, i / FEW * INTERVAL)).isTrue();
    }

    @Test
    void many_leave_together_after_an_interval() {
        assertThat(timetable.mayLeave(20, 0)).isTrue();
        assertThat(timetable.mayLeave(1, INTERVAL - 1)).isFalse();
        timetable.depart(timetable.next(), 2);
        assertThat(timetable.mayLeave(1, INTERVAL)).isTrue();
    }

    @Test
    void who_waits_for_a_departure_is_not_passed_by_others_and_the_departure_is_not_put_off() {
        assertThat(timetable.mayLeave(20, 0)).isTrue();
        long next = timetable.next();
        assertThat(timetable.mayLeave(1, next - 1)).isFalse();
        assertThat(timetable.mayLeave(1, next + 1)).isFalse();
        assertThat(timetable.next()).isEqualTo(next);
        timetable.depart(next + 2, 2);
        assertThat(timetable.mayLeave(1, next + 3)).isTrue();
    }

    @Test
    void who_comes_after_few_have_left_together_leaves_at_once() {
        timetable.depart(0, 3);
        assertThat(timetable.mayLeave(1, 1)).isTrue();
    }
}
