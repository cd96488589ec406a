package io.floodgate.processor.workflow;

/** How a step stands. */
enum NodeState {
    /** What it needs has not ended. */
    WAITING("waiting"),
    /** It is to be placed with one of the next ticks. */
    READY("pending"),
    /** Its queue has not answered yet. */
    PLACING("pending"),
    /** It waits for room in its queue. */
    IN_LINE("pending"),
    /** It is in its queue. */
    PLACED("pending"),
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

    /** As steps are shown. */
    String wire() {
        return wire;
    }

    boolean hasEnded() {
        return this == COMPLETED || this == FAILED || this == CANCELLED || this == SKIPPED;
    }

    /** There is a job for it, or there will be. */
    boolean isUnderWay() {
        return this == READY || this == PLACING || this == IN_LINE || this == PLACED;
    }
}
