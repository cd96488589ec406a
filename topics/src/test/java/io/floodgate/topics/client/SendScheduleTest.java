package io.floodgate.topics.client;

import static io.floodgate.topics.client.SendSchedule.FEW;
import static io.floodgate.topics.client.SendSchedule.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendScheduleTest {
    private final SendSchedule sendSchedule = new SendSchedule();

    @Test
    void few_leave_at_once() {
        for (int i = 0; i < FEW; i++) assertThat(sendSchedule.mayLeave(1, 0)).isTrue();
        assertThat(sendSchedule.mayLeave(1, 0)).isFalse();
    }

    @Test
    void few_leave_at_once_in_each_interval() {
        for (int i = 0; i < 10 * FEW; i++)
            assertThat(sendSchedule.mayLeave(1, i / FEW * INTERVAL)).isTrue();
    }

    @Test
    void many_leave_together_after_an_interval() {
        assertThat(sendSchedule.mayLeave(20, 0)).isTrue();
        assertThat(sendSchedule.mayLeave(1, INTERVAL - 1)).isFalse();
        sendSchedule.depart(sendSchedule.next(), 2);
        assertThat(sendSchedule.mayLeave(1, INTERVAL)).isTrue();
    }

    @Test
    void who_waits_for_a_departure_is_not_passed_by_others_and_the_departure_is_not_put_off() {
        assertThat(sendSchedule.mayLeave(20, 0)).isTrue();
        long next = sendSchedule.next();
        assertThat(sendSchedule.mayLeave(1, next - 1)).isFalse();
        assertThat(sendSchedule.mayLeave(1, next + 1)).isFalse();
        assertThat(sendSchedule.next()).isEqualTo(next);
        sendSchedule.depart(next + 2, 2);
        assertThat(sendSchedule.mayLeave(1, next + 3)).isTrue();
    }

    @Test
    void who_comes_after_few_have_left_together_leaves_at_once() {
        sendSchedule.depart(0, 3);
        assertThat(sendSchedule.mayLeave(1, 1)).isTrue();
    }
}
