package io.floodgate.processor.workflow;

/** The state of a step. */
enum NodeState {
    /** A step that this one needs has not ended. */
    WAITING("waiting"),
    /** The step is to be placed with one of the next ticks. */
    READY("pending"),
    /** The queue of the step has not answered yet. */
    PLACING("pending"),
    /** The step waits for capacity in its queue. */
    IN_LINE("pending"),
    /** The job of the step is in its queue. */
    PLACED("pending"),
    /** The step waits for a signal. */
    LISTENING("active"),
    /** Steps inside of it can run. */
    OPEN("active"),
    COMPLETED("completed"),
    FAILED("failed"),
    CANCELLED("cancelled"),
    /** The condition on which it would have run has not come true. */
    SKIPPED("skipped");

    private final String wire;

    NodeState(String wire) {
        this.wire = wire;
    }

    /** Returns the state as it is shown. */
    String wire() {
        return wire;
    }

    boolean hasEnded() {
        return this == COMPLETED || this == FAILED || this == CANCELLED || this == SKIPPED;
    }

    /** Returns whether there is a job for the step, or will be. */
    boolean isUnderWay() {
        return this == READY || this == PLACING || this == IN_LINE || this == PLACED;
    }
}
