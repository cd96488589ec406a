package io.floodgate.verification.fault;

/** One repetition of a row. */
interface FaultTrial extends AutoCloseable {
    FaultSeen run() throws Exception;

    /** Ends the load. */
    @Override
    void close() throws InterruptedException;
}
