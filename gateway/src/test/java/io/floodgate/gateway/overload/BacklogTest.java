package io.floodgate.gateway.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BacklogTest {
    private final AtomicLong time = new AtomicLong();
    private final AtomicLong jobs = new AtomicLong();
    private final Backlog backlog = new Backlog(1_000, LevelHysteresis.Thresholds.DEFAULT, jobs::get, time::get);

    @Test
    void is_looked_at_once_a_second() {
        jobs.set(900);
        assertThat(backlog.saturation()).isEqualTo(0.9);
        jobs.set(100);
        assertThat(backlog.saturation()).isEqualTo(0.9);
        time.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(backlog.saturation()).isEqualTo(0.1);
    }

    @Test
    void says_when_new_jobs_are_let_in_again_at_the_rate_of_processing() {
        jobs.set(1_020);
        backlog.saturation();
        time.addAndGet(Duration.ofSeconds(1).toNanos());
        jobs.set(1_000);
        backlog.saturation();
        assertThat(backlog.seconds()).isEqualTo(10);
    }

    @Test
    void while_it_does_not_become_less_that_may_take_long() {
        jobs.set(1_000);
        backlog.saturation();
        time.addAndGet(Duration.ofSeconds(1).toNanos());
        jobs.set(1_001);
        backlog.saturation();
        assertThat(backlog.seconds()).isEqualTo(60);
    }

    @Test
    void without_a_limit_it_is_never_full() {
        Backlog any = new Backlog(0, LevelHysteresis.Thresholds.DEFAULT, () -> Long.MAX_VALUE, time::get);
        assertThat(any.saturation()).isZero();
    }
}
