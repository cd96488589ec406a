package io.floodgate.client;

import io.floodgate.topics.command.Rejection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A definite no, of the server or, where it would certainly say the same, of this library: nothing was stored. */
public sealed class JobRejected extends EnqueueFailed permits QueueFull, DuplicateJob {
    private static final long serialVersionUID = 1L;

    private final transient Map<String, String> details;

    JobRejected(
            String code,
            String message,
            Map<String, String> details,
            @Nullable String jobId,
            @Nullable Duration retryAfter) {
        super(code, message, jobId, retryAfter);
        this.details = Map.copyOf(details);
    }

    static JobRejected locally(Rejection rejection, @Nullable String jobId) {
        return new JobRejected(rejection.code().wire(), rejection.message(), Details.of(rejection), jobId, null);
    }

    /** Returns the server's details, by name, as text: the {@code field} that is wrong, for instance. */
    public Map<String, String> details() {
        return new LinkedHashMap<>(details);
    }
}
