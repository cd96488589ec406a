package io.floodgate.processor.simulation;

import io.floodgate.processor.cron.RandomSchedulesTest;
import io.floodgate.processor.tenant.TenantWalkTest;
import io.floodgate.processor.unique.KeyWalkTest;
import io.floodgate.processor.workflow.WorkflowScenesTest;
import io.floodgate.processor.workflow.WorkflowWalkTest;
import java.util.function.LongConsumer;

/** The searches by name, for those who load them beside a {@link Mutant}: what takes a seed, and throws what it finds. */
public final class Searches implements LongConsumer {
    private final String name;

    public Searches(String name) {
        this.name = name;
    }

    @Override
    public void accept(long seed) {
        switch (name) {
            case "WALK" -> Walk.run(seed, 500);
            case "TURNS" -> Walk.runFair(seed, 500, seed % 3 == 0);
            case "ORDER" -> Walk.runOrdered(seed, 500, seed % 3 == 0);
            case "SELECTIVE_WALK" -> Walk.run(seed, 500, true);
            case "REPLAY" -> {
                Replays.twice(seed);
                Replays.withoutMemory(seed);
            }
            case "SIMULATION" -> Simulation.run(seed);
            case "CROWDS" -> Simulation.crowds(seed);
            case "LOSSES" -> Simulation.losses(seed);
            case "LIMITS" -> LimitSimulation.run(seed);
            case "LIMIT_LOSSES" -> LimitSimulation.losses(seed);
            case "CURSES" -> Simulation.curses(seed);
            case "SCHEDULES" -> RandomSchedulesTest.run(seed);
            case "WORKFLOWS" -> WorkflowWalkTest.run(seed);
            case "KEYS" -> KeyWalkTest.run(seed);
            case "TENANTS" -> TenantWalkTest.run(seed);
            case "WORKFLOW_SCENES" -> WorkflowScenesTest.run(seed);
            default -> throw new IllegalArgumentException(name);
        }
    }
}
