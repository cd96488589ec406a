package io.floodgate.processor.queue.bound;

import org.jspecify.annotations.Nullable;

/** Bounds the number of producers that wait for capacity, and the bytes of their commands. */
final class ProducerLimits {
    private static final int MAX_OF_A_QUEUE = 10_000;

    /** Jobs that the system has made: they do not count among the others. */
    private static final int MAX_OWN_OF_A_QUEUE = 100_000;

    /**
     * Most bytes of all producers of a partition; the same again for the jobs that the system has made for one queue.
     */
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private ProducerLimits() {}

    /** @param bytes of all producers of the partition, with the one that asks */
    static boolean isFull(@Nullable ProducerWaitQueue queue, long bytes) {
        long callers = queue == null ? 0 : queue.size() - queue.own();
        return callers >= MAX_OF_A_QUEUE || bytes > MAX_BYTES;
    }

    /** @param bytes of the job that asks */
    static boolean isFullOfOwn(@Nullable ProducerWaitQueue queue, long bytes) {
        return queue != null && (queue.own() >= MAX_OWN_OF_A_QUEUE || queue.ownBytes() + bytes > MAX_BYTES);
    }
}
