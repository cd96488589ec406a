package io.floodgate.gateway;

import io.floodgate.gateway.admin.StatsHistory;
import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.connection.HeadMemory;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.event.EventStreams;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.overload.Backlog;
import io.floodgate.gateway.overload.Overload;
import io.floodgate.gateway.overload.Signal;
import io.floodgate.gateway.pool.DispatchCounts;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.Metrics;
import io.floodgate.gateway.worker.Directives;
import io.floodgate.topics.client.Buffers;
import io.floodgate.topics.client.ClientLimits;
import io.floodgate.topics.client.PartitionCircuits;
import io.floodgate.topics.client.Traffic;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.schema.SchemaCatalog;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What a gateway knows and keeps by itself, beside the partitions.
 *
 * @param nanos a clock like {@code System.nanoTime()}
 * @param traffic what the client of the partitions has under way, and may have
 * @param loaded whether what is read from topics has been read so far
 */
record GatewayContext(
        Clock clock,
        LongSupplier nanos,
        Ids ids,
        MemoryBudget memory,
        HeadMemory heads,
        CapacityCache doors,
        StatusTable table,
        EventLog events,
        EventStreams streams,
        Metrics metrics,
        StatsHistory history,
        DispatchCounts dispatches,
        Directives directives,
        Traffic traffic,
        Overload overload,
        SchemaCatalog schemas,
        BooleanSupplier loaded,
        AtomicBoolean closing) {

    /**
     * @param client what the client of the partitions may have under way
     * @param nanos a clock like {@code System.nanoTime()}
     */
    static GatewayContext of(
            GatewayLimits limits,
            ClientLimits client,
            Clock clock,
            LongSupplier nanos,
            BooleanSupplier loaded,
            PrometheusMeterRegistry registry) {
        MemoryBudget memory = new MemoryBudget(limits.requestBytes());
        HeadMemory heads = HeadMemory.beside(limits.requestBytes());
        CapacityCache doors = new CapacityCache(limits.queues(), nanos);
        StatusTable table = new StatusTable(limits.queues(), doors);
        EventLog events = new EventLog(limits.events(), limits.eventBytes());
        EventStreams streams = new EventStreams(events, limits.eventStreams());
        Traffic traffic =
                new Traffic(client, new PartitionCircuits(limits.overload().circuits(), nanos));
        Backlog backlog = new Backlog(
                limits.overload().limits().backlog(),
                limits.overload().thresholds(),
                () -> table.sum("available"),
                nanos);
        Overload overload = new Overload(
                limits.overload(),
                List.of(
                        Signal.of("memory", "the memory for requests is", memory::saturation, () -> 1),
                        Signal.channel("in_flight", "the number of commands under way is", traffic::saturation),
                        Signal.channel("unacknowledged", "what Kafka has not taken yet is", traffic::bytesSaturation),
                        Signal.of("backlog", "the number of jobs that wait is", backlog::saturation, backlog::seconds)),
                traffic,
                nanos);
        Buffers buffers = traffic.buffers();
        buffers.add("memory", memory::saturation);
        buffers.add("request_heads", heads::saturation);
        buffers.add("event_streams", streams::open, limits.eventStreams());
        buffers.add("listed_queues", table::size, limits.queues());
        Metrics metrics = new Metrics(registry, table, doors, events, streams, memory, overload, clock);
        return new GatewayContext(
                clock,
                nanos,
                new Ids(clock),
                memory,
                heads,
                doors,
                table,
                events,
                streams,
                metrics,
                new StatsHistory(clock),
                new DispatchCounts(),
                new Directives(),
                traffic,
                overload,
                new SchemaCatalog(nanos),
                loaded,
                new AtomicBoolean());
    }

    /** An event has just been read that is news. */
    void happened(OjsEvent event) {
        metrics.count(event);
        history.count(event);
        dispatches.count(event);
        directives.happened(event);
    }

    boolean areLoaded() {
        return loaded.getAsBoolean();
    }

    boolean isClosing() {
        return closing.get();
    }
}
