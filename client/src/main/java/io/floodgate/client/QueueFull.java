package io.floodgate.client;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The bound of the queue, or of the tenant in it, leaves no room for the job (OJS backpressure §7.1). */
public final class QueueFull extends JobRejected {
    private static final long serialVersionUID = 1L;

    private final String queue;
    private final long depth;
    private final long bound;
    private final @Nullable String tenant;

    QueueFull(
            String code,
            String message,
            Map<String, String> details,
            @Nullable String jobId,
            @Nullable Duration retryAfter) {
        super(code, message, details, jobId, retryAfter);
        queue = details.getOrDefault("queue", "");
        depth = Details.number(details, "depth");
        bound = Details.number(details, "bound");
        tenant = details.get("tenant_id");
    }

    public String queue() {
        return queue;
    }

    /** Unfinished jobs in the queue, or of the tenant in it; 0 if the server did not say. */
    public long depth() {
        return depth;
    }

    /** Returns the bound of the jobs, or of their bytes if only these are bounded; 0 if the server did not say. */
    public long bound() {
        return bound;
    }

    /** Returns the tenant whose bound is reached, if it is that of a tenant. */
    public Optional<String> tenant() {
        return Optional.ofNullable(tenant);
    }
}
