package io.floodgate.gateway.http;

import io.floodgate.topics.client.RejectedException;
import java.util.concurrent.Semaphore;

/**
 * Large requests are read by turns, for the same reason as {@link LargeAnswers}. Reading does not block, so each turn
 * ends by itself.
 */
final class LargeRequests {
    /** Reading costs more by the byte than writing: that many take a quarter of a millisecond or so. */
    private static final long LARGE = 8 * 1024;

    /** Turns for large requests. At least one core is left for all other work, if there is more than one. */
    private static final Semaphore TURNS =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), true);

    private LargeRequests() {}

    /** Reads a body before anything is sent on. */
    interface Reading<T, E extends Exception> {
        T read() throws RejectedException, E;
    }

    static <T, E extends Exception> T read(long bytes, Reading<T, E> reading) throws RejectedException, E {
        if (bytes < LARGE) return reading.read();
        TURNS.acquireUninterruptibly();
        try {
            return reading.read();
        } finally {
            TURNS.release();
        }
    }
}
