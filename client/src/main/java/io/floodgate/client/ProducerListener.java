package io.floodgate.client;

import io.floodgate.topics.circuit.BreakerState;
import java.time.Duration;

/**
 * Listens to a producer, on the threads on which things happen: methods must return soon, and not call the producer.
 * {@link ProducerMeters} makes metrics of it.
 */
public interface ProducerListener {
    /** Name of the server as a whole, instead of a queue's. */
    String SERVER = "*";

    /** Results of a request. */
    enum Result {
        STORED,
        /** Stored by an earlier try. */
        WAS_THERE,
        /** Too full for now (429): tried again. */
        BACKPRESSURE,
        /** A definite no. Jobs that only travelled together are sent again, one by one. */
        REJECTED,
        /** No answer, or a server that cannot serve: the request is tried again. */
        UNAVAILABLE
    }

    default void answered(String queue, int jobs, Result result, Duration took) {}

    /** The server warns: slow down, and nothing will be rejected. */
    default void pressure(QueuePressure pressure) {}

    /** @param queue whose circuit it is, or {@link #SERVER} */
    default void breaker(String queue, BreakerState state) {}

    /** A job that was submitted is given up, since the server will never take it; this is the last that is seen of it. */
    default void rejected(Job job, EnqueueFailed why) {}

    /** Jobs in the buffer on disk that this version cannot read: they are not sent, and stay for one that can. */
    default void unreadable(long jobs) {}

    /**
     * Reports the jobs that wait to be sent or are under way, and the part of the bound that they take, from 0 to 1.
     */
    default void buffered(long jobs, long bytes, double saturation) {}
}
