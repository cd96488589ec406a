package io.floodgate.gateway.explain;

import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import java.util.function.LongSupplier;

/** How many explanations a gateway gives in a second: they must not take the time of the partitions that they explain. */
public final class ExplainBudget {
    static final int MAX_PER_SECOND = 100;

    private static final long SECOND = 1_000_000_000L;

    private final LongSupplier nanos;
    private long begun;
    private int used;

    /** @param nanos a clock like {@code System.nanoTime()} */
    public ExplainBudget(LongSupplier nanos) {
        this.nanos = nanos;
        begun = nanos.getAsLong();
    }

    synchronized void take() throws RejectedException {
        long now = nanos.getAsLong();
        if (now - begun >= SECOND) {
            begun = now;
            used = 0;
        }
        if (used++ < MAX_PER_SECOND) return;
        throw new RejectedException(Rejection.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "This gateway gives %d explanations in a second at most; try again in a second."
                                .formatted(MAX_PER_SECOND))
                .with("outcome", "not_executed")
                .with("cause", "explanations"));
    }
}
