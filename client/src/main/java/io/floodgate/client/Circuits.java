package io.floodgate.client;

import io.floodgate.client.ProducerListener.Result;
import java.time.Duration;
import java.util.Optional;

/** The circuit breakers that a line heeds: its queue's own, which opens for want of room, and the server's, for want of answers. */
record Circuits(String queue, CircuitBreaker own, CircuitBreaker server) {
    /** How long nothing can be sent, in nanoseconds. */
    long pause(long now) {
        return Math.max(own.pause(now), server.pause(now));
    }

    /** How long it is certain that nothing will be: while a request decides, it may be over soon. */
    long rest(long now) {
        return Math.max(rest(own, now), rest(server, now));
    }

    private static long rest(CircuitBreaker breaker, long now) {
        return breaker.state() == BreakerState.OPEN ? breaker.pause(now) : 0;
    }

    CircuitOpen failure(Entry entry, long now) {
        String of = rest(server, now) > 0 ? "the server" : "queue '%s'".formatted(queue);
        return new CircuitOpen(of, entry.jobId(), Duration.ofNanos(rest(now)));
    }

    boolean enter(long now) {
        return server.enter(now) && own.enter(now);
    }

    /** Whether the request that has entered decides about a circuit. */
    boolean isDeciding() {
        return own.state() == BreakerState.HALF_OPEN || server.state() == BreakerState.HALF_OPEN;
    }

    void undecided(long now) {
        own.undecided(now);
        server.undecided(now);
    }

    void hear(Result result, Optional<Duration> retryAfter, long now) {
        long asked = Time.nanos(retryAfter.orElse(Duration.ZERO));
        switch (result) {
            case STORED, WAS_THERE -> own.succeeded();
            case BACKPRESSURE -> own.failed(now, asked);
            case REFUSED, UNAVAILABLE -> own.undecided(now);
        }
        if (result == Result.UNAVAILABLE) server.failed(now, asked);
        else server.succeeded();
    }
}
