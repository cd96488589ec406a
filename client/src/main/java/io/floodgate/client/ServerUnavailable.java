package io.floodgate.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The server cannot be reached, does not answer, or cannot serve now; all tries have ended so. */
public final class ServerUnavailable extends EnqueueFailed {
    private static final long serialVersionUID = 1L;

    private final boolean outcomeUnknown;

    ServerUnavailable(
            String code,
            String message,
            boolean outcomeUnknown,
            @Nullable String jobId,
            @Nullable Duration retryAfter) {
        super(code, message, jobId, retryAfter);
        this.outcomeUnknown = outcomeUnknown;
    }

    /**
     * Returns whether the job may have been stored, or may yet be: enqueue it again with the {@link #jobId} to be sure.
     */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }
}
