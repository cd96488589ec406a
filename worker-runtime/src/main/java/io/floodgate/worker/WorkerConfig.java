package io.floodgate.worker;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a worker.
 *
 * @param concurrency handlers that may run at the same time
 * @param visibility how long a lease lasts without a heartbeat; null for what the job or its queue says
 * @param heartbeat how often the worker gives a sign of life and prolongs its leases
 * @param park how long a fetch waits in the partition for a job
 * @param grace how long closing waits for running handlers
 * @param patience how long to wait for the reply to a command
 */
record WorkerConfig(
        String id,
        List<String> queues,
        int concurrency,
        @Nullable Duration visibility,
        Duration heartbeat,
        Duration park,
        Duration grace,
        Duration patience,
        Protection protection) {
    static final int CONCURRENCY = 10;
    /** Interval of heartbeats that the OJS worker protocol recommends; a worker counts as lost after six of them. */
    static final Duration HEARTBEAT = Duration.ofSeconds(5);

    static final Duration PARK = Duration.ofSeconds(5);
    static final Duration GRACE = Duration.ofSeconds(25);
    static final Duration PATIENCE = Duration.ofSeconds(5);

    WorkerConfig {
        queues = List.copyOf(queues);
        if (queues.isEmpty()) throw new IllegalArgumentException("a worker needs at least one queue");
        if (concurrency < 1) throw new IllegalArgumentException("concurrency must be at least 1, not " + concurrency);
    }
}
