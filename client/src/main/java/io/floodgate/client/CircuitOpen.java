package io.floodgate.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Nothing was sent: too many requests in a row have failed, so the producer sends none for a while. */
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
