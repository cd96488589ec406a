package io.floodgate.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The circuit is open: too many requests in a row have failed, so the producer sends none for a while. Nothing was
 * sent.
 */
public final class CircuitOpen extends EnqueueFailed {
    private static final long serialVersionUID = 1L;

    CircuitOpen(String of, @Nullable String jobId, Duration rest) {
        super(
                "client_circuit_open",
                "The circuit of %s is open for another %d ms; nothing was sent.".formatted(of, rest.toMillis()),
                jobId,
                rest);
    }
}
