package io.floodgate.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class MeasurementTest {
    private static final Optional<ServerUse> USE = Optional.of(new ServerUse(0.6, 7_500));

    @Test
    void a_rate_is_units_by_the_length_of_the_window() {
        assertThat(measurement(3_000, Optional.empty()).perSecond()).isEqualTo(1_500);
    }

    @Test
    void the_cost_of_a_unit_is_cpu_time_by_units() {
        assertThat(measurement(3_000, USE).cpuMicrosPerUnit()).hasValue(200);
        assertThat(measurement(3_000, USE).switchesPerUnit()).hasValue(2.5);
    }

    @Test
    void nothing_costs_anything_when_nothing_was_done_or_watched() {
        assertThat(measurement(0, USE).cpuMicrosPerUnit()).isEmpty();
        assertThat(measurement(3_000, Optional.empty()).cpuMicrosPerUnit()).isEmpty();
    }

    private static Measurement measurement(long units, Optional<ServerUse> use) {
        MeasuredWindow window = new MeasuredWindow(0, 2_000_000_000L);
        return new Measurement("run", "how", "jobs", units, window, new Histogram(3), use, new Errors());
    }
}
