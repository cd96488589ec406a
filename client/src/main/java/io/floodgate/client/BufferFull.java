package io.floodgate.client;

import org.jspecify.annotations.Nullable;

/** The producer's buffer is full: as many jobs, or bytes, as may wait are waiting already. Nothing was sent or kept. */
public final class BufferFull extends EnqueueFailed {
    private static final long serialVersionUID = 1L;

    BufferFull(long jobs, long bytes, @Nullable String jobId) {
        super(
                "client_buffer_full",
                "%d jobs with %d bytes wait to be sent: there is no room for more.".formatted(jobs, bytes),
                jobId,
                null);
    }
}
