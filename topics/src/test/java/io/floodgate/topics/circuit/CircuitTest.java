package io.floodgate.topics.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CircuitTest {
    private static final Duration REST = Duration.ofSeconds(30);
    private static final Duration STALL = Duration.ofSeconds(2);

    private final AtomicLong time = new AtomicLong();
    private final List<BreakerState> told = new ArrayList<>();
    private final Circuit circuit = new Circuit(Circuit.Settings.DEFAULT, time::get, told::add);

    @Test
    void opens_when_five_questions_wait_and_nothing_was_answered_for_two_seconds() {
        ask(5);
        pass(STALL.minusMillis(1));
        assertThat(circuit.tryPass()).isTrue();
        pass(Duration.ofMillis(1));
        assertThat(circuit.tryPass()).isFalse();
        assertThat(circuit.isSilent()).isTrue();
        assertThat(circuit.pause()).isEqualTo(REST);
        assertThat(told).containsExactly(BreakerState.OPEN);
    }

    @Test
    void any_answer_in_between_keeps_it_closed() {
        ask(4);
        pass(STALL.minusMillis(1));
        circuit.answered();
        ask(100);
        pass(STALL.minusMillis(1));
        assertThat(circuit.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(circuit.unansweredFor()).isEqualTo(STALL.minusMillis(1));
    }

    @Test
    void few_that_wait_for_long_do_not_open_it_but_those_that_end_in_vain_do() {
        ask(4);
        pass(Duration.ofSeconds(10));
        assertThat(circuit.state()).isEqualTo(BreakerState.CLOSED);
        for (int i = 0; i < 4; i++) circuit.timedOut();
        assertThat(circuit.isSilent()).isTrue();
        assertThat(circuit.state()).isEqualTo(BreakerState.CLOSED);
        circuit.timedOut();
        assertThat(circuit.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void a_client_that_asks_all_the_same_and_is_answered_ends_its_rest() {
        open();
        circuit.asked();
        circuit.answered();
        assertThat(circuit.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(circuit.pause()).isEqualTo(Duration.ofSeconds(1));
        circuit.asked();
        circuit.answered();
        assertThat(circuit.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(told).containsExactly(BreakerState.OPEN, BreakerState.CLOSED);
        assertThat(circuit.isSilent()).isFalse();
    }

    @Test
    void half_open_one_asks_at_a_time_and_its_silence_opens_it_again() {
        open();
        circuit.asked(); // a completion, say, that gets no answer
        pass(REST);
        assertThat(circuit.mayWait()).isTrue();
        assertThat(circuit.tryPass()).isTrue();
        circuit.asked();
        assertThat(circuit.tryPass()).isFalse();
        pass(STALL);
        assertThat(circuit.state()).isEqualTo(BreakerState.OPEN);
        assertThat(circuit.mayWait()).isFalse();
        assertThat(circuit.pause()).isEqualTo(REST);
    }

    @Test
    void what_was_withdrawn_lets_another_one_find_out() {
        open();
        pass(REST);
        assertThat(circuit.tryPass()).isTrue();
        circuit.withdrawn(circuit.probe());
        assertThat(circuit.tryPass()).isTrue();
    }

    @Test
    void what_was_withdrawn_that_was_not_to_find_out_lets_no_other_client_ask() {
        open();
        pass(REST);
        assertThat(circuit.tryPass()).isTrue();
        circuit.asked();

        circuit.withdrawn(0);
        circuit.withdrawn(circuit.probe() - 1);

        assertThat(circuit.tryPass()).isFalse();
    }

    @Test
    void one_that_never_opens_stays_closed_whatever_waits() {
        Circuit patient = new Circuit(Circuit.Settings.NEVER, time::get, told::add);
        for (int i = 0; i < 100; i++) patient.asked();
        pass(Duration.ofHours(1));
        assertThat(patient.tryPass()).isTrue();
        assertThat(told).isEmpty();
    }

    private void open() {
        ask(5);
        pass(STALL);
        assertThat(circuit.state()).isEqualTo(BreakerState.OPEN);
    }

    private void ask(int times) {
        for (int i = 0; i < times; i++) circuit.asked();
    }

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
    }
}
