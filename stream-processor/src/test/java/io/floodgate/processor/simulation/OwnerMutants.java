package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Edit.condition;
import static io.floodgate.processor.simulation.Edit.value;
import static io.floodgate.processor.simulation.Mutant.Search.SCHEDULES;
import static io.floodgate.processor.simulation.Mutant.Search.WORKFLOWS;

import java.util.List;

/** What the searches must find of schedules and workflows. */
final class OwnerMutants {
    private OwnerMutants() {}

    static final List<Mutant> ALL = List.of(
            Mutant.of(SCHEDULES, "runs overlap although they must not", "overlap-skip", condition("false")),
            Mutant.of(SCHEDULES, "a plan of another generation is taken", "plan-generation", condition("false")),
            Mutant.of(SCHEDULES, "an occurrence is taken twice", "consumed-occurrence", condition("false")),
            Mutant.of(WORKFLOWS, "a step runs although one before it failed", "failure-spreads", condition("false")),
            Mutant.of(WORKFLOWS, "a step does not wait for those before it", "pending-needs", condition("false")),
            Mutant.of(
                    WORKFLOWS,
                    "a batch with a failed job fails",
                    "batch-completes",
                    value("$ || parent.insideBad > 0")));
}
