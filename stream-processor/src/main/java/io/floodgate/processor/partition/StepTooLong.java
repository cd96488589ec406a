package io.floodgate.processor.partition;

/** A step took more processor time than a step may, and was cut off. */
public final class StepTooLong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param seconds of processor time that a step may take */
    public StepTooLong(long seconds) {
        super("A step took more than %d s of processor time.".formatted(seconds));
    }
}
