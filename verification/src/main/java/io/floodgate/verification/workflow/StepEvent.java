package io.floodgate.verification.workflow;

import java.time.Instant;

/**
 * An event about the job of a step.
 *
 * @param type such as {@code job.enqueued}
 */
record StepEvent(String workflow, String step, String job, String type, Instant at) {
    boolean isArrival() {
        return type.equals("job.enqueued");
    }

    boolean isGoodEnd() {
        return type.equals("job.completed");
    }

    boolean isEnd() {
        return isGoodEnd() || type.equals("job.discarded") || type.equals("job.cancelled");
    }
}
