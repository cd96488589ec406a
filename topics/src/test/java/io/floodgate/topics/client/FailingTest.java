package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FailingTest {
    private final Failing failing = new Failing();

    @Test
    void tells_each_cause_once_and_once_a_minute_that_it_lasts() {
        assertThat(failing.isNews("a", 0)).isTrue();
        assertThat(failing.isNews("a", Duration.ofSeconds(59).toNanos())).isFalse();
        assertThat(failing.isNews("a", Duration.ofSeconds(60).toNanos())).isTrue();
        assertThat(failing.isNews("b", Duration.ofSeconds(61).toNanos())).isTrue();
        failing.ended();
        assertThat(failing.isNews("b", Duration.ofSeconds(62).toNanos())).isTrue();
    }
}
