package io.floodgate.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A job was not enqueued, or the outcome is unknown: see the subclasses. */
public abstract sealed class EnqueueFailed extends RuntimeException
        permits JobRejected, ServerUnavailable, CircuitOpen, BufferFull {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final @Nullable String jobId;
    private final @Nullable Duration retryAfter;

    EnqueueFailed(String code, String message, @Nullable String jobId, @Nullable Duration retryAfter) {
        super(message);
        this.code = code;
        this.jobId = jobId;
        this.retryAfter = retryAfter;
    }

    /** The code of the server, which is stable; in lower case and beginning with {@code client_} if it is this library's. */
    public String code() {
        return code;
    }

    /** The job's id: sent again with it, the job is stored once. Empty for batches, and for jobs that cannot have one. */
    public Optional<String> jobId() {
        return Optional.ofNullable(jobId);
    }

    /** Returns how long to wait before it makes sense to try again, as far as is known. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** Returns whether it makes sense to enqueue the job again as it is (OJS errors §7). */
    public boolean retryable() {
        return !(this instanceof JobRejected) || retryAfter != null;
    }
}
