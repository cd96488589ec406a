package io.floodgate.bench.load;

import org.jspecify.annotations.Nullable;

/** Callers who do their operations on one thread, without waiting for each other: very many of them cost little. */
public interface Crowd extends AutoCloseable {
    /** Gets the operations that have ended. */
    @FunctionalInterface
    interface Listener {
        /** @param failure an error of the run; null if it has ended well */
        void ended(int caller, int units, @Nullable Exception failure);
    }

    /**
     * Begins the operation of a caller whose last one has ended.
     *
     * @param due when it was to start, in {@code System.nanoTime()}
     */
    void begin(int caller, long due) throws Exception;

    /** Waits until operations end, at most this long. */
    void await(long millis, Listener listener) throws Exception;

    @Override
    void close();
}
