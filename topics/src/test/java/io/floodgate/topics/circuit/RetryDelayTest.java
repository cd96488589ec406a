package io.floodgate.topics.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetryDelayTest {
    private final RetryDelay backoff = new RetryDelay(Duration.ofSeconds(1), Duration.ofSeconds(30), 0.25, () -> 0);

    @Test
    void begins_with_the_first_delay_and_doubles_up_to_the_longest() {
        assertThat(backoff.next()).hasSeconds(1);
        assertThat(backoff.next()).hasSeconds(2);
        for (int i = 0; i < 200; i++)
            assertThat(backoff.next()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(30));
        assertThat(backoff.next()).hasSeconds(30);
    }

    @Test
    void begins_with_what_was_asked_for_and_doubles() {
        assertThat(next(3)).isEqualTo(3);
        assertThat(next(3)).isEqualTo(6);
        assertThat(next(3)).isEqualTo(12);
        assertThat(next(3)).isEqualTo(24);
        assertThat(next(3)).isEqualTo(30);
        assertThat(next(3)).isEqualTo(30);
    }

    @Test
    void is_never_earlier_than_asked_for() {
        assertThat(next(1)).isEqualTo(1);
        assertThat(next(20)).isEqualTo(20);
        assertThat(next(60)).isEqualTo(60);
        assertThat(next(1)).isEqualTo(30);
    }

    @Test
    void begins_again_after_a_success() {
        next(4);
        next(4);
        backoff.reset();

        assertThat(next(1)).isEqualTo(1);
    }

    @Test
    void chance_comes_on_top() {
        var spread = new RetryDelay(Duration.ZERO, Duration.ofSeconds(30), 0.25, () -> 1);

        assertThat(spread.next(Duration.ofSeconds(4))).hasSeconds(5);
        assertThat(spread.next(Duration.ofSeconds(4))).hasSeconds(10);
    }

    private long next(long asked) {
        return backoff.next(Duration.ofSeconds(asked)).toSeconds();
    }
}
