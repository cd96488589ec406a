package io.floodgate.gateway;

import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.Metrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/** The whole API in front of fake logs, at a time that stands still. */
public final class TestApi {
    public static final Instant NOW = Instant.parse("2026-02-12T10:30:00Z");

    public final FakeLogs logs = new FakeLogs();
    public final StatusTable table = new StatusTable();
    public final EventLog events = new EventLog(1_000, 1_000_000);
    public final Metrics metrics = new Metrics(table, events);
    /** Room for one request of that size, and not for two. */
    public static final int LARGE = 600_000;

    public final MemoryBudget bodies = new MemoryBudget(1_000_000);
    public final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);

    Api api(boolean testMode) {
        return new Api(
                logs,
                Duration.ofMillis(500),
                testMode,
                clock,
                new Ids(clock),
                bodies,
                table,
                events,
                metrics,
                () -> false);
    }
}
