package io.floodgate.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofSeconds(30), () -> 0);

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
    void begins_anew_after_a_success() {
        next(4);
        next(4);
        backoff.reset();

        assertThat(next(1)).isEqualTo(1);
    }

    @Test
    void chance_comes_on_top_up_to_a_quarter() {
        var spread = new Backoff(Duration.ofSeconds(30), () -> 1);

        assertThat(Duration.ofNanos(spread.next(Duration.ofSeconds(4)))).isEqualTo(Duration.ofSeconds(5));
        assertThat(Duration.ofNanos(spread.next(Duration.ofSeconds(4)))).isEqualTo(Duration.ofSeconds(10));
    }

    private long next(long asked) {
        return Duration.ofNanos(backoff.next(Duration.ofSeconds(asked))).toSeconds();
    }
}
