package io.floodgate.processor.simulation;

import org.junit.jupiter.api.Test;

/** {@code -Dqueue.seed=N} repeats one simulation, {@code -Dqueue.seeds=N} runs more of them. */
class SimulationTest {
    @Test
    void a_cluster_under_fire_keeps_its_promises() {
        Seeds.run(200, Simulation::run);
    }
}
