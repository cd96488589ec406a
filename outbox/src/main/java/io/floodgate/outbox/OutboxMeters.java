package io.floodgate.outbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The meters of a reader. */
final class OutboxMeters {
    private final MeterRegistry registry;
    private final Counter enqueued;
    private final Counter failures;
    private volatile OutboxLag lag = OutboxLag.NONE;

    OutboxMeters(MeterRegistry registry, OutboxReader reader, OutboxQueues queues) {
        this.registry = registry;
        enqueued = Counter.builder("floodgate.outbox.enqueued")
                .description("Rows that have become jobs, and were deleted.")
                .register(registry);
        failures = Counter.builder("floodgate.outbox.database.failures")
                .description("Lost connections, and failed statements, of the database.")
                .register(registry);
        Gauge.builder("floodgate.outbox.active", () -> reader.state() == OutboxState.ACTIVE ? 1 : 0)
                .description("1 if this is the reader that reads.")
                .register(registry);
        Gauge.builder("floodgate.outbox.rows", () -> lag.rows())
                .description("Rows that wait, up to 100,000; 0 in a reader that stands by.")
                .register(registry);
        Gauge.builder("floodgate.outbox.oldest", () -> lag.oldestSeconds())
                .description("Age of the oldest row that waits; 0 in a reader that stands by.")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("floodgate.outbox.rejected.rows", () -> lag.rejected())
                .description("Rows in floodgate_outbox_rejected, up to 100,000; 0 in a reader that stands by.")
                .register(registry);
        Gauge.builder("floodgate.outbox.held.queues", queues::held)
                .description("Queues whose rows wait, because they are full or the server cannot be reached.")
                .register(registry);
    }

    void settled(Delivery delivery) {
        enqueued.increment(delivery.enqueued().size());
        for (Delivery.Rejected each : delivery.rejected())
            Counter.builder("floodgate.outbox.rejected")
                    .description("Rows that can never be jobs, by the code of the error.")
                    .tag("code", each.code())
                    .register(registry)
                    .increment();
    }

    void databaseFailed() {
        failures.increment();
    }

    void show(OutboxLag now) {
        lag = now;
    }

    OutboxLag lag() {
        return lag;
    }
}
