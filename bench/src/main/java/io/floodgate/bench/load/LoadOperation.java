package io.floodgate.bench.load;

/** The work that one caller does over and over. */
@FunctionalInterface
public interface LoadOperation extends AutoCloseable {
    /**
     * Does it once. An exception is an error of the measurement.
     *
     * @param due when it was to start, in {@code System.nanoTime()}: latencies count from there
     * @return how many units (jobs, for example) it got done
     */
    int run(long due) throws Exception;

    @Override
    default void close() {}

    /** Makes the operation of each caller: connections are not shared. */
    @FunctionalInterface
    interface Factory {
        /** @param steps takes the latencies of parts of the operation */
        LoadOperation open(int caller, LoadSteps steps) throws Exception;
    }
}
