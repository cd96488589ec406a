package io.floodgate.client;

import org.jspecify.annotations.Nullable;

/** As many jobs, or bytes, as may be are waiting in this producer already; nothing was sent or kept. */
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
