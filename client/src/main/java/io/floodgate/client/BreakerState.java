package io.floodgate.client;

/** Of a circuit breaker (OJS backpressure §8.2). */
public enum BreakerState {
    /** Requests are sent. */
    CLOSED,
    /** Nothing is sent until it has rested. */
    OPEN,
    /** One request is under way, and decides. */
    HALF_OPEN
}
