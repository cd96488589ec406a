package io.floodgate.processor.queue;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;

/** Rejections of ids that cannot be used. */
public final class TakenIds {
    private TakenIds() {}

    /**
     * Returns the rejection for a sender that may not see the job with this id. It is not a duplicate, which a producer
     * would take for stored.
     */
    public static Rejection unavailable(JobId id) {
        return Rejection.of(
                        ErrorCode.PERMISSION_DENIED,
                        "The id '%s' is taken by a job that this key may not see: nothing was stored. Use another id."
                                .formatted(id))
                .with("job_id", id.toString());
    }

    public static Rejection unsettled(JobId id) {
        return Rejection.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "The job '%s' is part of a batch that is being stored; try again.".formatted(id))
                .with("job_id", id.toString());
    }

    public static Rejection duplicate(JobId id) {
        return Rejection.of(ErrorCode.DUPLICATE, "A job with the id '%s' already exists.".formatted(id))
                .with("existing_job_id", id.toString());
    }
}
