package io.floodgate.client;

import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Opens after so many failures in a row, rests, lets one request through, and closes when that succeeds (OJS backpressure
 * §8.2). Whoever sends asks for {@link #pause}, then {@link #enter}s, and says afterwards how it went.
 */
final class CircuitBreaker {
    private static final double SPREAD = 0.1;

    private final int most;
    private final long rest;
    private final DoubleSupplier chance;
    private final Consumer<BreakerState> told;
    private BreakerState state = BreakerState.CLOSED;
    private int failures;
    private long opens;

    /** @param told of each change, by the thread that made it */
    CircuitBreaker(ProducerConfig.Breaking config, DoubleSupplier chance, Consumer<BreakerState> told) {
        this.most = config.failures();
        this.rest = Time.nanos(config.rest());
        this.chance = chance;
        this.told = told;
    }

    synchronized BreakerState state() {
        return state;
    }

    /** As if nothing had ever happened. */
    synchronized boolean isPristine() {
        return state == BreakerState.CLOSED && failures == 0;
    }

    /** How long nothing can be sent, in nanoseconds. */
    synchronized long pause(long now) {
        return switch (state) {
            case CLOSED -> 0;
            case OPEN -> Math.max(0, opens - now);
            case HALF_OPEN -> rest;
        };
    }

    /** Whether a request may go; if it is the one that decides, nobody else may until it has ended. */
    boolean enter(long now) {
        synchronized (this) {
            if (state == BreakerState.CLOSED) return true;
            if (pause(now) > 0) return false;
            state = BreakerState.HALF_OPEN;
        }
        told.accept(BreakerState.HALF_OPEN);
        return true;
    }

    void succeeded() {
        synchronized (this) {
            failures = 0;
            if (state == BreakerState.CLOSED) return;
            state = BreakerState.CLOSED;
        }
        told.accept(BreakerState.CLOSED);
    }

    /** @param asked for how long the server wants to be left alone, in nanoseconds */
    void failed(long now, long asked) {
        synchronized (this) {
            failures++;
            if (state == BreakerState.OPEN || (state == BreakerState.CLOSED && failures < most)) return;
            state = BreakerState.OPEN;
            long least = Math.max(rest, asked);
            opens = now + least + (long) (least * SPREAD * chance.getAsDouble());
        }
        told.accept(BreakerState.OPEN);
    }

    /** The request has ended in a way that says nothing: the next one may find out. */
    void undecided(long now) {
        synchronized (this) {
            if (state != BreakerState.HALF_OPEN) return;
            state = BreakerState.OPEN;
            opens = now;
        }
        told.accept(BreakerState.OPEN);
    }
}
