package io.floodgate.gateway.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LevelHysteresisTest {
    private final AtomicLong time = new AtomicLong();
    private final LevelHysteresis hysteresis = new LevelHysteresis(LevelHysteresis.Thresholds.DEFAULT, time::get);

    @Test
    void warns_at_70_percent_rejects_jobs_at_85_and_writes_at_95() {
        assertThat(hysteresis.look(0.69)).isEqualTo(Level.NORMAL);
        assertThat(hysteresis.look(0.70)).isEqualTo(Level.WARNING);
        assertThat(hysteresis.look(0.84)).isEqualTo(Level.WARNING);
        assertThat(hysteresis.look(0.85)).isEqualTo(Level.CRITICAL);
        assertThat(hysteresis.look(0.95)).isEqualTo(Level.OVERFLOW);
    }

    @Test
    void goes_up_several_steps_at_once() {
        assertThat(hysteresis.look(7)).isEqualTo(Level.OVERFLOW);
    }

    @Test
    void comes_down_by_levels_when_it_has_been_clearly_below_for_a_second() {
        hysteresis.look(0.85);
        pass();
        assertThat(hysteresis.look(0.81)).isEqualTo(Level.CRITICAL);
        assertThat(hysteresis.look(0.79)).isEqualTo(Level.CRITICAL);
        pass();
        assertThat(hysteresis.look(0.79)).isEqualTo(Level.WARNING);
        assertThat(hysteresis.look(0.84)).isEqualTo(Level.WARNING);
        pass();
        assertThat(hysteresis.look(0)).isEqualTo(Level.NORMAL);
    }

    @Test
    void what_comes_back_within_that_second_has_not_been_below() {
        hysteresis.look(0.9);
        for (int i = 0; i < 10; i++) {
            time.addAndGet(LevelHysteresis.CALM.toNanos() / 2);
            hysteresis.look(i % 2 == 0 ? 0 : 0.9);
        }
        assertThat(hysteresis.look(0)).isEqualTo(Level.CRITICAL);
    }

    private void pass() {
        time.addAndGet(LevelHysteresis.CALM.toNanos());
    }

    @Test
    void each_level_rejects_what_it_is_for_and_nothing_ever_completions() {
        assertThat(Level.WARNING.rejects(Importance.NEW_JOBS)).isFalse();
        assertThat(Level.CRITICAL.rejects(Importance.NEW_JOBS)).isTrue();
        assertThat(Level.CRITICAL.rejects(Importance.WRITE)).isFalse();
        assertThat(Level.OVERFLOW.rejects(Importance.WRITE)).isTrue();
        assertThat(Level.OVERFLOW.rejects(Importance.ALWAYS)).isFalse();
    }

    @Test
    void its_thresholds_must_rise() {
        assertThatThrownBy(() -> new LevelHysteresis.Thresholds(0.9, 0.8, 0.95)).hasMessageContaining("0.9, 0.8");
        assertThatThrownBy(() -> new LevelHysteresis.Thresholds(0.7, 0.8, 1.5)).hasMessageContaining("1.5");
        assertThatThrownBy(() -> new LevelHysteresis.Thresholds(Double.NaN, 0.8, 0.9))
                .hasMessageContaining("NaN");
    }
}
