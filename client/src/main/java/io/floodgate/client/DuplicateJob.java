package io.floodgate.client;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Another job stands in the way; the job itself, sent again, would have been taken for enqueued. */
public final class DuplicateJob extends JobRejected {
    private static final long serialVersionUID = 1L;

    private final @Nullable String existingJobId;

    DuplicateJob(String code, String message, Map<String, String> details, @Nullable String jobId) {
        super(code, message, details, jobId, null);
        existingJobId = details.get(Details.EXISTING);
    }

    public Optional<String> existingJobId() {
        return Optional.ofNullable(existingJobId);
    }
}
