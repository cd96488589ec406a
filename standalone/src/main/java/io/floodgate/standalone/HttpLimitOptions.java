package io.floodgate.standalone;

import io.floodgate.gateway.GatewayLimits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for how much a gateway keeps at the same time. Without them, as much as fits the heap. */
final class HttpLimitOptions {
    private static final long MIB = 1024 * 1024;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Maximum number of connections to the HTTP API. Above it, the connection that has been"
                    + " idle for longest is closed.")
    int maxConnections = GatewayLimits.DEFAULT_CONNECTIONS;

    @Option(
            names = "--request-memory",
            paramLabel = "MIB",
            description = "Memory in MiB for all requests and responses in flight; completions have half as much in"
                    + " addition. Default: an eighth of the heap, at least 64.")
    @Nullable
    Integer requestMemory;

    @Option(
            names = "--event-memory",
            paramLabel = "MIB",
            description = "Memory in MiB for the newest events, in addition to the limit of --max-events. Default:"
                    + " 1/32 of the heap.")
    @Nullable
    Integer eventMemory;

    @Option(
            names = "--max-events",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Number of newest events that are kept for polls and event streams.")
    int maxEvents = GatewayLimits.DEFAULT_EVENTS;

    @Option(
            names = "--max-event-streams",
            paramLabel = "N",
            defaultValue = "200",
            description = "Maximum number of event streams at the same time.")
    int maxEventStreams = GatewayLimits.DEFAULT_EVENT_STREAMS;

    @Option(
            names = "--max-listed-queues",
            paramLabel = "N",
            description = "Maximum number of queues that GET /ojs/v1/queues lists; the most recently changed ones"
                    + " are kept. Default: what fits into a tenth of the heap.")
    @Nullable
    Integer maxListedQueues;

    @Mixin
    OverloadOptions overload = new OverloadOptions();

    GatewayLimits limits() {
        GatewayLimits fitting = GatewayLimits.ofHeap();
        return new GatewayLimits(
                positive("--max-connections", maxConnections),
                requestMemory == null ? fitting.requestBytes() : MIB * positive("--request-memory", requestMemory),
                positive("--max-events", maxEvents),
                eventMemory == null ? fitting.eventBytes() : MIB * positive("--event-memory", eventMemory),
                positive("--max-event-streams", maxEventStreams),
                maxListedQueues == null ? fitting.queues() : positive("--max-listed-queues", maxListedQueues),
                overload.settings());
    }

    private static int positive(String flag, int value) {
        if (value > 0) return value;
        throw new CommandErrors.Rejection("%s must be more than zero, not %d".formatted(flag, value));
    }
}
