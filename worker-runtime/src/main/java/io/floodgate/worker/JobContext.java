package io.floodgate.worker;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The context of a run, for its handler. */
public interface JobContext {
    LeasedJob job();

    String worker();

    /**
     * Returns whether the run still counts. It no longer does once its time is up, its lease is lost, its job was
     * cancelled or the worker has closed: the handler is interrupted then, and whatever it returns is discarded.
     */
    boolean isLive();

    /** Returns whether the run ended because the job was cancelled. */
    boolean isCancelled();

    /**
     * Says something on the worker's topic for domain events, without waiting. Events are worth less than jobs: when too
     * many wait for their topic this one is dropped, and counted.
     *
     * @param type for the readers, such as {@code invoice.paid}; 255 characters at most
     * @param data anything that Jackson can write, 256 KiB at most
     * @return whether it was taken
     * @throws IllegalStateException if the worker was built without {@link WorkerBuilder#events}
     * @throws IllegalArgumentException if the type is empty or too long
     */
    boolean emit(String type, @Nullable Object data);

    /**
     * Reports how far the run has come, without waiting: readers of the job see it, and the lease is prolonged. When it
     * is called often, only the latest is sent.
     *
     * @param share of the work that is done, from 0 to 1; it never goes back
     * @param message for people to read; beyond 1,000 characters it is cut
     * @throws IllegalArgumentException if the share is no number
     */
    void progress(double share, @Nullable String message);

    default void progress(double share) {
        progress(share, null);
    }

    /**
     * Keeps something for the next attempt, should this one fail, without waiting: what was sent last may be lost with this
     * process.
     *
     * @param state anything that Jackson can write, 16 KiB of JSON at most
     * @throws IllegalArgumentException if it is larger
     */
    void checkpoint(Object state);

    /** Returns the checkpoint that an earlier attempt has kept for this one. */
    default Optional<JsonNode> lastCheckpoint() {
        return Optional.ofNullable(job().json().path("checkpoint").get("state"));
    }

    default JsonNode args() {
        return job().args();
    }
}
