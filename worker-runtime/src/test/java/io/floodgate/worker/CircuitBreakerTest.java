package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
    private static final Duration REST = Duration.ofSeconds(30);

    private final ManualAlarms time = new ManualAlarms();
    private final CircuitBreaker breaker = new CircuitBreaker(new BreakerSettings(3, REST, 2), time::now);

    @Test
    void opens_after_so_many_failures_in_a_row() {
        breaker.failed();
        breaker.failed();
        breaker.succeeded();
        breaker.failed();
        assertThat(breaker.failed()).isFalse();
        assertThat(breaker.tryPass()).isTrue();
        assertThat(breaker.failed()).isTrue();
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.OPEN);
        assertThat(breaker.tryPass()).isFalse();
        assertThat(breaker.restLeft()).isEqualTo(REST);
    }

    @Test
    void lets_one_try_at_a_time_through_after_its_rest() {
        open();
        time.pass(REST.minusMillis(1));
        assertThat(breaker.tryPass()).isFalse();
        time.pass(Duration.ofMillis(1));
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
        assertThat(breaker.tryPass()).isTrue();
        assertThat(breaker.tryPass()).isFalse();
        breaker.saysNothing();
        assertThat(breaker.tryPass()).isTrue();
    }

    @Test
    void closes_after_so_many_successes() {
        open();
        time.pass(REST);
        assertThat(breaker.tryPass()).isTrue();
        breaker.succeeded();
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
        assertThat(breaker.tryPass()).isTrue();
        breaker.succeeded();
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.CLOSED);
        assertThat(breaker.tryPass()).isTrue();
        assertThat(breaker.tryPass()).isTrue();
    }

    @Test
    void rests_again_when_a_try_fails() {
        open();
        time.pass(REST);
        assertThat(breaker.tryPass()).isTrue();
        breaker.succeeded();
        assertThat(breaker.tryPass()).isTrue();
        assertThat(breaker.failed()).isTrue();
        assertThat(breaker.restLeft()).isEqualTo(REST);
        // and the success before does not count
        time.pass(REST);
        assertThat(breaker.tryPass()).isTrue();
        breaker.succeeded();
        assertThat(breaker.state()).isEqualTo(CircuitBreaker.State.HALF_OPEN);
    }

    @Test
    void what_was_tried_before_it_opened_does_not_prolong_its_rest() {
        open();
        time.pass(Duration.ofSeconds(10));
        assertThat(breaker.failed()).isFalse();
        breaker.succeeded();
        assertThat(breaker.restLeft()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void may_be_told_never_to_open() {
        CircuitBreaker patient = new CircuitBreaker(BreakerSettings.never(), time::now);
        for (int i = 0; i < 1_000; i++) assertThat(patient.failed()).isFalse();
        assertThat(patient.tryPass()).isTrue();
    }

    @Test
    void its_settings_must_make_sense() {
        assertThatThrownBy(() -> new BreakerSettings(-1, REST, 2)).hasMessageContaining("failures");
        assertThatThrownBy(() -> new BreakerSettings(5, Duration.ZERO, 2)).hasMessageContaining("rest");
        assertThatThrownBy(() -> new BreakerSettings(5, REST, 0)).hasMessageContaining("successes");
    }

    private void open() {
        for (int i = 0; i < 3; i++) breaker.failed();
    }
}
