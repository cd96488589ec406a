package io.floodgate.gateway.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdaptiveLimitTest {
    private static final Duration TARGET = Duration.ofMillis(50);

    private final AdaptiveLimit limit = new AdaptiveLimit(100, 200, TARGET);
    private long now;

    @Test
    void grows_while_what_is_used_of_it_is_quick() {
        answered(10, 100, 100);
        assertThat(limit.limit()).isEqualTo(100);
        answered(10, 100, 1);
        assertThat(limit.limit()).isGreaterThanOrEqualTo(100).isLessThan(103);
        for (int i = 0; i < 100_000; i++) answered(10, 200, 1);
        assertThat(limit.limit()).isEqualTo(200);
    }

    @Test
    void does_not_grow_while_it_is_not_used() {
        for (int i = 0; i < 100_000; i++) answered(10, 49, 1);
        assertThat(limit.limit()).isEqualTo(100);
    }

    @Test
    void shrinks_once_for_each_round_that_was_slow() {
        answered(10, 1, 0);
        for (int i = 0; i < 100; i++) answered(60, 100, 0);
        assertThat(limit.limit()).isEqualTo(90);
        pass(61);
        answered(60, 90, 0);
        assertThat(limit.limit()).isEqualTo(81);
    }

    @Test
    void always_lets_some_through() {
        answered(10, 1, 0);
        for (int i = 0; i < 1_000; i++) answered(200, 100, 300);
        assertThat(limit.limit()).isEqualTo(AdaptiveLimit.LEAST);
    }

    @Test
    void a_log_that_is_far_away_is_not_taken_for_a_busy_one() {
        for (int i = 0; i < 1_000; i++) answered(80, 100, 1);
        int quick = limit.limit();
        assertThat(quick).isGreaterThanOrEqualTo(90);
        for (int i = 0; i < 10; i++) answered(170, 100, 200);
        assertThat(limit.limit()).isLessThan(quick / 2);
    }

    @Test
    void forgets_how_quick_a_log_was_before_it_became_slow_for_good() {
        answered(10, 1, 1);
        for (int i = 0; i < 60; i++) answered(80, 100, 10_000);
        assertThat(limit.limit()).isEqualTo(AdaptiveLimit.LEAST);
        for (int i = 0; i < 200; i++) answered(80, 100, 10_000);
        assertThat(limit.limit()).isGreaterThan(AdaptiveLimit.LEAST);
    }

    private void answered(long ms, int inFlight, long later) {
        pass(later);
        limit.answered(Duration.ofMillis(ms).toNanos(), inFlight, now);
    }

    private void pass(long ms) {
        now += Duration.ofMillis(ms).toNanos();
    }
}
