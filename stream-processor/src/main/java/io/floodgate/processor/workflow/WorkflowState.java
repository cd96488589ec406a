package io.floodgate.processor.workflow;

import java.util.Locale;
import java.util.Optional;

/** OJS workflows §8.1; a workflow runs as soon as it is there. */
enum WorkflowState {
    RUNNING,
    COMPLETED,
    FAILED,
    CANCELLED;

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean hasEnded() {
        return this != RUNNING;
    }

    static Optional<WorkflowState> parse(String text) {
        for (WorkflowState state : values()) if (state.wire().equals(text)) return Optional.of(state);
        return text.equals("active") ? Optional.of(RUNNING) : Optional.empty();
    }
}
