package io.floodgate.gateway;

import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.overload.OverloadSettings;

/**
 * How much a gateway keeps at the same time, and what it takes for too much.
 *
 * @param connections how many callers may be connected; the one that has been idle for longest makes room for further ones
 * @param requestBytes of the bodies of requests and answers; reports of finished work have half as much to themselves
 * @param events how many of the newest events are kept
 * @param eventBytes and how many bytes of them at most
 * @param eventStreams how many readers may follow the events
 * @param queues how many queues are listed
 * @param overload what is rejected as all that fills up
 */
public record GatewayLimits(
        int connections,
        long requestBytes,
        int events,
        long eventBytes,
        int eventStreams,
        int queues,
        OverloadSettings overload) {
    public static final int DEFAULT_CONNECTIONS = 20_000;
    public static final int DEFAULT_EVENTS = 20_000;
    public static final int DEFAULT_EVENT_STREAMS = 200;

    private static final long MIB = 1024 * 1024;
    /** A status and all that is kept around it. */
    private static final long BYTES_PER_QUEUE = 2_048;

    /** What fits the heap. */
    public static GatewayLimits ofHeap() {
        return new GatewayLimits(
                DEFAULT_CONNECTIONS,
                MemoryBudget.ofHeap(),
                DEFAULT_EVENTS,
                defaultEventBytes(),
                DEFAULT_EVENT_STREAMS,
                defaultQueues(),
                OverloadSettings.DEFAULT);
    }

    public static long defaultEventBytes() {
        return Math.clamp(Runtime.getRuntime().maxMemory() / 32, 8 * MIB, 256 * MIB);
    }

    /** A tenth of the heap. */
    public static int defaultQueues() {
        return (int) Math.clamp(Runtime.getRuntime().maxMemory() / 10 / BYTES_PER_QUEUE, 10_000L, 1_000_000L);
    }
}
