package io.floodgate.worker;

import io.floodgate.topics.circuit.BreakerSettings;
import java.time.Duration;

/**
 * Settings that keep a worker from taking more than it can do, and from losing what it has done. Handed out by {@link
 * WorkerBuilder#protection} with its defaults; {@code docs/reference/java-worker.md} says more of each.
 */
public final class Protection {
    private Duration handlerTimeout = Duration.ofSeconds(30);
    private double claimThreshold = 0.8;
    private int dispatchBuffer = 1_000;
    private Duration starvation = Duration.ofSeconds(10);
    private int completionBuffer = 1_000;
    private int eventBuffer = 1_000;
    private boolean errorsRetryable;
    private BreakerSettings typeBreaker = new BreakerSettings(5, Duration.ofSeconds(30), 2);
    /** A report that waits may outlive its lease, so this one rests briefly. */
    private BreakerSettings logBreaker = new BreakerSettings(5, Duration.ofSeconds(2), 2);

    Protection() {}

    /** Sets how long a handler may run if its job does not say: 30 s. */
    public Protection handlerTimeout(Duration value) {
        handlerTimeout = positive("handlerTimeout", value);
        return this;
    }

    /** A buffer that is this full, as a share from 0 to 1, lets nothing more be claimed: 0.8. */
    public Protection claimThreshold(double value) {
        if (!(value > 0 && value <= 1))
            throw new IllegalArgumentException("claimThreshold must be above 0 and at most 1, not " + value);
        claimThreshold = value;
        return this;
    }

    /** Sets how many jobs may have been claimed without their handlers having begun: 1,000. */
    public Protection dispatchBuffer(int value) {
        dispatchBuffer = positive("dispatchBuffer", value);
        return this;
    }

    /** The wait of a job for its handler that causes a warning: 10 s. */
    public Protection starvation(Duration value) {
        starvation = positive("starvation", value);
        return this;
    }

    /** Sets how many jobs may be in hand, from the claim to the answered outcome: 1,000. */
    public Protection completionBuffer(int value) {
        completionBuffer = positive("completionBuffer", value);
        return this;
    }

    /** Sets how many domain events may wait for their topic: 1,000. */
    public Protection eventBuffer(int value) {
        eventBuffer = positive("eventBuffer", value);
        return this;
    }

    /**
     * Lets the job's retry policy judge an {@link Error} of a handler, or its thread's death. Without this they are
     * permanent: it is unknown how far the handler came.
     */
    public Protection errorsRetryable() {
        errorsRetryable = true;
        return this;
    }

    /** Sets the circuit breaker of each type of jobs: 5 failures, 30 s, 2 successes. */
    public Protection typeBreaker(BreakerSettings value) {
        typeBreaker = value;
        return this;
    }

    /** Sets the circuit breaker of each partition: 5 failures, 2 s, 2 successes. */
    public Protection logBreaker(BreakerSettings value) {
        logBreaker = value;
        return this;
    }

    private static Duration positive(String name, Duration value) {
        if (value.isNegative() || value.isZero())
            throw new IllegalArgumentException("%s must be longer than nothing, not %s".formatted(name, value));
        return value;
    }

    private static int positive(String name, int value) {
        if (value < 1) throw new IllegalArgumentException("%s must be at least 1, not %d".formatted(name, value));
        return value;
    }

    Duration handlerTimeout() {
        return handlerTimeout;
    }

    double claimThreshold() {
        return claimThreshold;
    }

    int dispatchBuffer() {
        return dispatchBuffer;
    }

    Duration starvation() {
        return starvation;
    }

    int completionBuffer() {
        return completionBuffer;
    }

    int eventBuffer() {
        return eventBuffer;
    }

    boolean retriesErrors() {
        return errorsRetryable;
    }

    BreakerSettings typeBreaker() {
        return typeBreaker;
    }

    BreakerSettings logBreaker() {
        return logBreaker;
    }
}
