package io.floodgate.verification.workflow;

import java.time.Instant;

/**
 * An event of a workflow, or of the job of a step.
 *
 * @param step as the server names it; empty for one of the workflow as a whole
 * @param job empty if none
 * @param type such as {@code job.enqueued}, or {@code workflow.callback_fired}
 */
record StepEvent(String workflow, String step, String job, String queue, String type, Instant at) {
    /** Emitted by the workflow's home, in its order. */
    boolean isOfHome() {
        return type.startsWith("workflow.");
    }

    boolean isArrival() {
        return type.equals("job.enqueued");
    }

    boolean isGoodEnd() {
        return type.equals("job.completed");
    }

    boolean isEnd() {
        return isGoodEnd() || type.equals("job.discarded") || isCancel();
    }

    boolean isCancel() {
        return type.equals("job.cancelled");
    }

    /** If its job had ended before: it was retried by hand. */
    boolean isRevival() {
        return type.equals("dead_letter.retried") || type.equals("job.available");
    }

    /** What is none of a job that has ended for good. */
    boolean isRun() {
        return isArrival() || isEnd() || isRevival() || type.equals("job.started");
    }

    boolean isNotAfter(Instant time) {
        return !at.isAfter(time);
    }
}
