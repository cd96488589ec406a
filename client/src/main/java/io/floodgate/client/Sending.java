package io.floodgate.client;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * What all lines of a producer share.
 *
 * @param threads on which answers are taken in
 * @param over told of jobs that were kept and need not be any more
 */
record Sending(
        ProducerConfig config,
        Transport transport,
        Time time,
        DoubleSupplier chance,
        Executor threads,
        ProducerListener listener,
        Consumer<List<Entry>> over) {
    CircuitBreaker breaker(String queue) {
        return new CircuitBreaker(config.breaking(), chance, state -> listener.breaker(queue, state));
    }
}
