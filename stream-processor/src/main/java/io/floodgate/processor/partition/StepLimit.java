package io.floodgate.processor.partition;

/**
 * Bounds the steps of a partition. A step that takes too long is cut off, which is durable before it counts. When its record is executed
 * again, the step fails as it begins, and the same happens at every replay.
 */
public interface StepLimit {
    StepLimit NONE = new StepLimit() {
        @Override
        public void begin(long offset, int step) {}

        @Override
        public void end() {}
    };

    /**
     * A step begins.
     *
     * @param step its number among the steps of the record, from 1 on
     * @throws StepTooLong if it was cut off before
     */
    void begin(long offset, int step);

    /** The step has ended. Throws a failure of the stores if it was cut off meanwhile: nothing of it may count. */
    void end();
}
