package io.floodgate.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.bench.load.Measurement;
import org.junit.jupiter.api.Test;

class MachineLimitTest {
    private final MachineLimit limit = new MachineLimit(1.0, 20_000, 100_000);

    @Test
    void a_rate_is_a_share_of_the_limits_rate() {
        Measurement found = Measurements.of("enqueue", 25_000, 5);
        assertThat(limit.share(new ReportFinding(found, Yardstick.RATE))).hasValue(0.25);
    }

    @Test
    void batches_are_compared_with_batches() {
        Measurement found = Measurements.of("batch", 250_000, 5);
        assertThat(limit.share(new ReportFinding(found, Yardstick.BATCH_RATE))).hasValue(0.5);
    }

    @Test
    void twice_the_latency_is_half_of_the_limit() {
        Measurement found = Measurements.of("handoff", 10, 5, 2_000);
        assertThat(limit.share(new ReportFinding(found, Yardstick.LATENCY))).hasValue(0.5);
    }

    @Test
    void nothing_is_said_about_what_was_not_measured() {
        Measurement found = Measurements.of("handoff", 0, 5);
        assertThat(limit.share(new ReportFinding(found, Yardstick.LATENCY))).isEmpty();
        assertThat(limit.share(new ReportFinding(found, Yardstick.NONE))).isEmpty();
        assertThat(new MachineLimit(1, 0, 0).share(new ReportFinding(found, Yardstick.RATE)))
                .isEmpty();
    }
}
