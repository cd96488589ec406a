package io.floodgate.standalone;

import io.floodgate.gateway.GatewayLimits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How much a gateway keeps at the same time. Without them, as much as fits the heap. */
final class HttpLimitOptions {
    private static final long MIB = 1024 * 1024;

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            defaultValue = "20000",
            description =
                    "How many callers may be connected to the HTTP API; the one that has been idle for longest makes"
                            + " room for further ones.")
    int maxConnections = GatewayLimits.DEFAULT_CONNECTIONS;

    @Option(
            names = "--request-memory",
            paramLabel = "MIB",
            description = "How much all requests and answers under way may take; reports of finished work have half as"
                    + " much to themselves. Default: an eighth of the heap, at least 64.")
    @Nullable
    Integer requestMemory;

    @Option(
            names = "--event-memory",
            paramLabel = "MIB",
            description = "How much of the newest events is kept, beside --max-events. Default: 1/32 of the heap.")
    @Nullable
    Integer eventMemory;

    @Option(
            names = "--max-events",
            paramLabel = "N",
            defaultValue = "20000",
            description = "How many of the newest events are kept for whoever polls or follows them.")
    int maxEvents = GatewayLimits.DEFAULT_EVENTS;

    @Option(
            names = "--max-event-streams",
            paramLabel = "N",
            defaultValue = "200",
            description = "How many readers may follow the events at the same time.")
    int maxEventStreams = GatewayLimits.DEFAULT_EVENT_STREAMS;

    @Option(
            names = "--max-listed-queues",
            paramLabel = "N",
            description = "How many queues GET /ojs/v1/queues can list: those that changed last."
                    + " Default: what fits a tenth of the heap.")
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
        throw new CommandErrors.Refusal("%s must be more than zero, not %d".formatted(flag, value));
    }
}
