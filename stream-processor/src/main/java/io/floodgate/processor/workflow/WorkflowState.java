package io.floodgate.processor.workflow;

import io.floodgate.topics.json.WireName;
import java.util.Optional;

/** OJS workflows §8.1; a workflow runs as soon as it is there. */
enum WorkflowState implements WireName {
    RUNNING,
    COMPLETED,
    FAILED,
    CANCELLED;

    boolean hasEnded() {
        return this != RUNNING;
    }

    static Optional<WorkflowState> parse(String text) {
        return text.equals("active") ? Optional.of(RUNNING) : WireName.parse(WorkflowState.class, text);
    }
}
