package io.floodgate.bench.load;

/** What one caller does over and over. */
@FunctionalInterface
public interface LoadOperation extends AutoCloseable {
    /**
     * Does it once. An exception is an error of the run.
     *
     * @param due when it was to start, in {@code System.nanoTime()}: latencies count from there
     * @return how many units (jobs, say) it got done
     */
    int run(long due) throws Exception;

    @Override
    default void close() {}

    /** Makes the operation of each caller: connections are not shared. */
    @FunctionalInterface
    interface Factory {
        LoadOperation open(int caller) throws Exception;
    }
}
