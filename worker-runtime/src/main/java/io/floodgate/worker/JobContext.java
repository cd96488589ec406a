package io.floodgate.worker;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a handler knows about its run. */
public interface JobContext {
    Job job();

    String worker();

    /**
     * Whether the run still counts. It no longer does once its time is up, its lease is lost, its job was cancelled or the
     * worker has closed: the handler is interrupted then, and whatever it returns is discarded.
     */
    boolean isLive();

    /** Whether the run ended because somebody has cancelled the job. */
    boolean isCancelled();

    /**
     * Says something on the worker's topic for domain events, without waiting. Events are worth less than jobs: when too
     * many wait for their topic this one is dropped, and counted.
     *
     * @param type for whoever reads, such as {@code invoice.paid}; 255 characters at most
     * @param data anything that Jackson can write, 256 KiB at most
     * @return whether it was taken
     * @throws IllegalStateException if the worker was built without {@link WorkerBuilder#events}
     * @throws IllegalArgumentException if the type is empty or too long
     */
    boolean emit(String type, @Nullable Object data);

    default JsonNode args() {
        return job().args();
    }
}
