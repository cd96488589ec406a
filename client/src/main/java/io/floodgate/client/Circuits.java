package io.floodgate.client;

import io.floodgate.client.ProducerListener.Result;
import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.circuit.CircuitBreaker;
import java.time.Duration;
import java.util.Optional;

/** The circuit breakers that a line heeds: its queue's own, which opens for want of room, and the server's, for want of answers. */
record Circuits(String queue, CircuitBreaker own, CircuitBreaker server) {
    /** Returns for how long nothing can be sent, in nanoseconds. */
    long pause() {
        return Math.max(Time.nanos(own.pause()), Time.nanos(server.pause()));
    }

    /** Returns for how long it is certain that nothing will be sent: while a request decides, it may be over soon. */
    long rest() {
        return Math.max(Time.nanos(own.restLeft()), Time.nanos(server.restLeft()));
    }

    CircuitOpen failure(PendingSend entry) {
        String of = server.state() == BreakerState.OPEN ? "the server" : "queue '%s'".formatted(queue);
        return new CircuitOpen(of, entry.jobId(), Duration.ofNanos(rest()));
    }

    /** Returns whether a request may go. */
    boolean enter() {
        if (!server.tryPass()) return false;
        if (own.tryPass()) return true;
        server.saysNothing();
        return false;
    }

    /** Returns whether the request that has entered decides about a circuit. */
    boolean isDeciding() {
        return own.state() == BreakerState.HALF_OPEN || server.state() == BreakerState.HALF_OPEN;
    }

    void undecided() {
        own.saysNothing();
        server.saysNothing();
    }

    void hear(Result result, Optional<Duration> retryAfter) {
        Duration asked = retryAfter.orElse(Duration.ZERO);
        switch (result) {
            case STORED, WAS_THERE -> own.succeeded();
            case BACKPRESSURE -> own.failed(asked);
            case REJECTED, UNAVAILABLE -> own.saysNothing();
        }
        if (result == Result.UNAVAILABLE) server.failed(asked);
        else server.succeeded();
    }
}
