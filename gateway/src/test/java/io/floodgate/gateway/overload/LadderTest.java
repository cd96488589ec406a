package io.floodgate.gateway.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LadderTest {
    private final AtomicLong time = new AtomicLong();
    private final Ladder ladder = new Ladder(Ladder.Thresholds.DEFAULT, time::get);

    @Test
    void warns_at_70_percent_refuses_jobs_at_85_and_writes_at_95() {
        assertThat(ladder.look(0.69)).isEqualTo(Level.NORMAL);
        assertThat(ladder.look(0.70)).isEqualTo(Level.WARNING);
        assertThat(ladder.look(0.84)).isEqualTo(Level.WARNING);
        assertThat(ladder.look(0.85)).isEqualTo(Level.CRITICAL);
        assertThat(ladder.look(0.95)).isEqualTo(Level.OVERFLOW);
    }

    @Test
    void goes_up_several_steps_at_once() {
        assertThat(ladder.look(7)).isEqualTo(Level.OVERFLOW);
    }

    @Test
    void comes_down_by_levels_when_it_has_been_clearly_below_for_a_second() {
        ladder.look(0.85);
        pass();
        assertThat(ladder.look(0.81)).isEqualTo(Level.CRITICAL);
        assertThat(ladder.look(0.79)).isEqualTo(Level.CRITICAL);
        pass();
        assertThat(ladder.look(0.79)).isEqualTo(Level.WARNING);
        assertThat(ladder.look(0.84)).isEqualTo(Level.WARNING);
        pass();
        assertThat(ladder.look(0)).isEqualTo(Level.NORMAL);
    }

    @Test
    void what_comes_back_within_that_second_has_not_been_below() {
        ladder.look(0.9);
        for (int i = 0; i < 10; i++) {
            time.addAndGet(Ladder.CALM.toNanos() / 2);
            ladder.look(i % 2 == 0 ? 0 : 0.9);
        }
        assertThat(ladder.look(0)).isEqualTo(Level.CRITICAL);
    }

    private void pass() {
        time.addAndGet(Ladder.CALM.toNanos());
    }

    @Test
    void each_level_refuses_what_it_is_for_and_nothing_ever_completions() {
        assertThat(Level.WARNING.refuses(Importance.NEW_JOBS)).isFalse();
        assertThat(Level.CRITICAL.refuses(Importance.NEW_JOBS)).isTrue();
        assertThat(Level.CRITICAL.refuses(Importance.WRITE)).isFalse();
        assertThat(Level.OVERFLOW.refuses(Importance.WRITE)).isTrue();
        assertThat(Level.OVERFLOW.refuses(Importance.ALWAYS)).isFalse();
    }

    @Test
    void its_thresholds_must_rise() {
        assertThatThrownBy(() -> new Ladder.Thresholds(0.9, 0.8, 0.95)).hasMessageContaining("0.9, 0.8");
        assertThatThrownBy(() -> new Ladder.Thresholds(0.7, 0.8, 1.5)).hasMessageContaining("1.5");
        assertThatThrownBy(() -> new Ladder.Thresholds(Double.NaN, 0.8, 0.9)).hasMessageContaining("NaN");
    }
}
