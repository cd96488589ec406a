package io.floodgate.processor.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** However many steps of a stop wait in vain, together they take no longer than the stop may. */
final class StopBudgetTest {
    private final AtomicLong nanos = new AtomicLong();
    private final StopBudget budget = new StopBudget(Duration.ofSeconds(10), nanos::get, later -> {});
    private final List<Duration> given = new ArrayList<>();

    /** A step that takes all the time that it gets. */
    private void inVain(Duration most) {
        budget.spend("a test", most, time -> {
            given.add(time);
            nanos.addAndGet(time.toNanos());
        });
    }

    @Test
    void steps_share_the_time_of_the_stop() {
        inVain(Duration.ofSeconds(3));
        inVain(Duration.ofMinutes(1));
        inVain(Duration.ofSeconds(5));

        assertThat(given).containsExactly(Duration.ofSeconds(3), Duration.ofSeconds(7), Duration.ZERO);
    }
}
