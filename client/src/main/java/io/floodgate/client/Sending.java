package io.floodgate.client;

import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.circuit.CircuitBreaker;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Services that all send buffers of a producer share.
 *
 * @param threads on which answers are taken in
 * @param over gets the jobs that were kept and need not be any more
 */
record Sending(
        ProducerConfig config,
        Transport transport,
        Time time,
        DoubleSupplier chance,
        Executor threads,
        ProducerListener listener,
        Consumer<List<PendingSend>> over) {
    /** Part by which the rest of a circuit may be longer. */
    private static final double SPREAD = 0.1;

    CircuitBreaker breaker(Consumer<BreakerState> told) {
        return new CircuitBreaker(config.breaking(), time::now, () -> SPREAD * chance.getAsDouble(), told);
    }
}
