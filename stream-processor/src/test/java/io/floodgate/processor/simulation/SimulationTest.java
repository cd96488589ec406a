package io.floodgate.processor.simulation;

import io.floodgate.processor.testing.MutedLogs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code -Dqueue.seed=N} repeats one simulation, {@code -Dqueue.seeds=N} runs more of them. */
@Tag("search")
class SimulationTest {
    @Test
    void a_cluster_under_fire_keeps_its_promises() {
        try (var muted = MutedLogs.of("io.floodgate.processor")) {
            Seeds.run(200, Simulation::run);
        }
    }

    @Test
    void a_cluster_of_full_queues_lets_each_client_in_or_says_no() {
        try (var muted = MutedLogs.of("io.floodgate.processor")) {
            Seeds.run(100, Simulation::crowds);
        }
    }

    @Test
    void commands_that_travel_together_are_carried_out_as_if_each_had_come_alone() {
        Seeds.run(100, Simulation::commandBatches);
    }

    @Test
    void a_cluster_that_loses_records_says_so_and_comes_to_rest() {
        try (var muted = MutedLogs.of("io.floodgate.processor")) {
            Seeds.run(100, Simulation::losses);
        }
    }

    @Test
    void a_cluster_with_broken_jobs_serves_all_others() {
        try (var muted = MutedLogs.of("io.floodgate.processor")) {
            Seeds.run(100, Simulation::curses);
        }
    }
}
