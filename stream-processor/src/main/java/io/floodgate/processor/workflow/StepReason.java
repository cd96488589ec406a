package io.floodgate.processor.workflow;

import org.jspecify.annotations.Nullable;

/** Why a step that is a job has not ended, as far as the home of its workflow knows; of what is in a queue, the queue knows more. */
public enum StepReason {
    WAITS_FOR,
    NO_ROOM,
    OWN_LINE_FULL,
    LOG_SILENT,
    IN_QUEUE;

    static @Nullable StepReason of(WorkflowNode node) {
        if (!node.fixed.isJob()) return null;
        return switch (node.state) {
            case WAITING -> WAITS_FOR;
            case IN_LINE -> NO_ROOM;
            case READY -> node.tries == 0 ? LOG_SILENT : OWN_LINE_FULL;
            case PLACING -> LOG_SILENT;
            case PLACED -> IN_QUEUE;
            default -> null;
        };
    }
}
