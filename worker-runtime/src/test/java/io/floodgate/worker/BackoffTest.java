package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), new Random(1));

    @Test
    void delays_double_up_to_the_longest() {
        for (int failures = 1; failures < 200; failures++) {
            long nominal = Math.min(5_000, 100L << Math.min(failures - 1, 20));
            assertThat(backoff.after(failures).toMillis()).isBetween(nominal / 2, nominal);
        }
    }
}
