package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Edit.condition;
import static io.floodgate.processor.simulation.Edit.deleted;
import static io.floodgate.processor.simulation.Edit.value;
import static io.floodgate.processor.simulation.Mutant.Search.SCHEDULES;
import static io.floodgate.processor.simulation.Mutant.Search.WORKFLOWS;
import static io.floodgate.processor.simulation.Mutant.Search.WORKFLOW_SCENES;

import java.util.List;

/** What the searches must find of schedules and workflows. */
final class OwnerMutants {
    private OwnerMutants() {}

    static final List<Mutant> ALL = List.of(
            Mutant.of(SCHEDULES, "runs overlap although they must not", "overlap-skip", condition("false")),
            Mutant.of(SCHEDULES, "a run does not wait for the run before", "enqueue-holds", condition("false")),
            Mutant.of(SCHEDULES, "a plan of another generation is taken", "plan-generation", condition("false")),
            Mutant.of(SCHEDULES, "an occurrence is taken twice", "consumed-occurrence", condition("false")),
            Mutant.of(WORKFLOWS, "a step runs although one before it failed", "failure-spreads", condition("false")),
            Mutant.of(WORKFLOWS, "a step does not wait for those before it", "pending-needs", condition("false")),
            Mutant.of(
                    WORKFLOWS,
                    "a batch with a failed job fails",
                    "batch-completes",
                    value("$ || parent.insideBad > 0")),
            Mutant.of(
                    WORKFLOWS,
                    "a signal that comes before its step counts for nothing",
                    "signal-before-wait",
                    condition("false")),
            Mutant.of(WORKFLOWS, "half of a workflow is created", "half-workflow", value("true")),
            Mutant.of(WORKFLOW_SCENES, "a job of an earlier run ends the step", "run-number", value("node")),
            Mutant.of(WORKFLOW_SCENES, "a step waits behind producers for its own room", "room-handed-on", deleted()),
            Mutant.of(WORKFLOW_SCENES, "a note that comes twice is taken twice", "note-twice", condition("false")),
            Mutant.of(WORKFLOW_SCENES, "a callback runs again after a retry", "callback-once", condition("false")));
}
