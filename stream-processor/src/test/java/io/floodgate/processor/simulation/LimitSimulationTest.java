package io.floodgate.processor.simulation;

import io.floodgate.processor.testing.MutedLogs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code -Dqueue.seed=N} repeats one simulation, {@code -Dqueue.seeds=N} runs more of them. */
@Tag("search")
class LimitSimulationTest {
    @Test
    void a_cluster_under_fire_keeps_to_every_limit() {
        try (var muted = MutedLogs.of("io.floodgate.processor")) {
            Seeds.run(30, LimitSimulation::run);
        }
    }

    @Test
    void a_cluster_that_loses_records_gives_no_permit_twice_and_leaks_none() {
        try (var muted = MutedLogs.of("io.floodgate.processor")) {
            Seeds.run(12, LimitSimulation::losses);
        }
    }
}
