package io.floodgate.processor.workflow;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a step with nothing inside has not ended, as far as the home of its workflow knows. The queue knows more of
 * a job that it has.
 */
public enum StepReason {
    WAITS_FOR,
    NO_ROOM,
    OWN_LINE_FULL,
    LOG_SILENT,
    IN_QUEUE,
    SIGNAL;

    static @Nullable StepReason of(WorkflowNode node) {
        if (!node.fixed.isLeaf()) return null;
        return switch (node.state) {
            case WAITING -> WAITS_FOR;
            case IN_LINE -> NO_ROOM;
            case READY -> node.tries == 0 ? LOG_SILENT : OWN_LINE_FULL;
            case PLACING -> LOG_SILENT;
            case PLACED -> IN_QUEUE;
            case LISTENING -> SIGNAL;
            default -> null;
        };
    }
}
