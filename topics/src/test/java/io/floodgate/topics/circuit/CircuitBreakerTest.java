package io.floodgate.topics.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
    private static final Duration REST = Duration.ofSeconds(30);

    private final AtomicLong time = new AtomicLong();
    private final CircuitBreaker breaker = new CircuitBreaker(new BreakerSettings(3, REST, 2), time::get);

    @Test
    void opens_after_so_many_failures_in_a_row() {
        breaker.failed();
        breaker.failed();
        breaker.succeeded();
        breaker.failed();
        assertThat(breaker.failed()).isFalse();
        assertThat(breaker.tryPass()).isTrue();
        assertThat(breaker.failed()).isTrue();
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(breaker.tryPass()).isFalse();
        assertThat(breaker.restLeft()).isEqualTo(REST);
    }

    @Test
    void lets_one_try_at_a_time_through_after_its_rest() {
        open();
        time.addAndGet(REST.minusMillis(1).toNanos());
        assertThat(breaker.tryPass()).isFalse();
        time.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(breaker.tryPass()).isTrue();
        assertThat(breaker.tryPass()).isFalse();
        breaker.saysNothing();
        assertThat(breaker.tryPass()).isTrue();
    }

    @Test
    void closes_after_so_many_successes() {
        open();
        time.addAndGet(REST.toNanos());
        assertThat(breaker.tryPass()).isTrue();
        breaker.succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(breaker.tryPass()).isTrue();
        breaker.succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.tryPass()).isTrue();
        assertThat(breaker.tryPass()).isTrue();
    }

    @Test
    void rests_again_when_a_try_fails() {
        open();
        time.addAndGet(REST.toNanos());
        assertThat(breaker.tryPass()).isTrue();
        breaker.succeeded();
        assertThat(breaker.tryPass()).isTrue();
        assertThat(breaker.failed()).isTrue();
        assertThat(breaker.restLeft()).isEqualTo(REST);
        // and the success before does not count
        time.addAndGet(REST.toNanos());
        assertThat(breaker.tryPass()).isTrue();
        breaker.succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void what_was_tried_before_it_opened_does_not_prolong_its_rest() {
        open();
        time.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(breaker.failed()).isFalse();
        breaker.succeeded();
        assertThat(breaker.restLeft()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void may_be_configured_never_to_open() {
        CircuitBreaker patient = new CircuitBreaker(BreakerSettings.never(), time::get);
        for (int i = 0; i < 1_000; i++) assertThat(patient.failed()).isFalse();
        assertThat(patient.tryPass()).isTrue();
    }

    @Test
    void its_settings_must_make_sense() {
        assertThatThrownBy(() -> new BreakerSettings(-1, REST, 2)).hasMessageContaining("failures");
        assertThatThrownBy(() -> new BreakerSettings(5, Duration.ZERO, 2)).hasMessageContaining("rest");
        assertThatThrownBy(() -> new BreakerSettings(5, REST, 0)).hasMessageContaining("successes");
    }

    @Test
    void what_is_seen_to_work_need_not_rest_to_its_end() {
        open();
        breaker.isBack();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(breaker.tryPass()).isTrue();
        breaker.succeeded();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void rests_as_long_as_it_is_asked_to() {
        breaker.failed();
        breaker.failed();
        assertThat(breaker.failed(Duration.ofSeconds(50))).isTrue();
        assertThat(breaker.restLeft()).isEqualTo(Duration.ofSeconds(50));
    }

    @Test
    void no_rest_is_too_long_to_be_counted() {
        breaker.failed();
        breaker.failed();
        assertThat(breaker.failed(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
        assertThat(breaker.restLeft()).isGreaterThan(Duration.ofDays(365));
    }

    @Test
    void chance_makes_its_rest_longer_and_others_hear_of_each_change() {
        List<BreakerState> told = new ArrayList<>();
        CircuitBreaker spread = new CircuitBreaker(new BreakerSettings(1, REST, 1), time::get, () -> 0.1, told::add);
        spread.failed();
        assertThat(spread.restLeft()).isEqualTo(Duration.ofSeconds(33));
        time.addAndGet(spread.restLeft().toNanos());
        assertThat(spread.tryPass()).isTrue();
        assertThat(spread.pause()).isEqualTo(REST);
        spread.succeeded();
        assertThat(told).containsExactly(BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED);
        assertThat(spread.isPristine()).isTrue();
    }

    private void open() {
        for (int i = 0; i < 3; i++) breaker.failed();
    }
}
