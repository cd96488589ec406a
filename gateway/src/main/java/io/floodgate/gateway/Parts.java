package io.floodgate.gateway;

import io.floodgate.gateway.admin.StatsHistory;
import io.floodgate.gateway.door.Doors;
import io.floodgate.gateway.event.Event;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.event.EventStreams;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.Metrics;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What a gateway knows and keeps by itself, beside the logs.
 *
 * @param loaded whether what is read from topics has been read so far
 */
record Parts(
        Clock clock,
        Ids ids,
        MemoryBudget memory,
        Doors doors,
        StatusTable table,
        EventLog events,
        EventStreams streams,
        Metrics metrics,
        StatsHistory history,
        BooleanSupplier loaded,
        AtomicBoolean closing) {

    /** @param nanos a clock like {@code System.nanoTime()} */
    static Parts of(GatewayLimits limits, Clock clock, LongSupplier nanos, BooleanSupplier loaded) {
        MemoryBudget memory = new MemoryBudget(limits.requestBytes());
        Doors doors = new Doors(limits.queues(), nanos);
        StatusTable table = new StatusTable(limits.queues(), doors);
        EventLog events = new EventLog(limits.events(), limits.eventBytes());
        EventStreams streams = new EventStreams(events, limits.eventStreams());
        Metrics metrics = new Metrics(table, doors, events, streams, memory);
        return new Parts(
                clock,
                new Ids(clock),
                memory,
                doors,
                table,
                events,
                streams,
                metrics,
                new StatsHistory(clock),
                loaded,
                new AtomicBoolean());
    }

    /** An event has just been read that is news. */
    void happened(Event event) {
        metrics.count(event);
        history.count(event);
    }

    boolean areLoaded() {
        return loaded.getAsBoolean();
    }

    boolean isClosing() {
        return closing.get();
    }
}
