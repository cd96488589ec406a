package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobChange.Cancelled;
import io.floodgate.processor.queue.state.JobChange.Deleted;
import io.floodgate.processor.queue.state.JobChange.Passed;
import io.floodgate.processor.queue.state.JobChange.Prioritized;
import io.floodgate.processor.queue.state.JobChange.Retaken;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.OrderPlace;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Actions of producers and operators on a job: each is done, or rejected for a reason. */
public record JobActions(Jobs jobs, Bounds bounds, Effects out) {
    @Nullable
    public Rejection cancel(JobRecord job) {
        if (job.movingTo != null) return onItsWay("cancel", job);
        if (job.state.isTerminal())
            return wrongState("Cannot cancel job '%s': it is already %s.".formatted(job.id, job.state.wire()), job);
        if (jobs.payloads().isCommitting(job))
            return wrongState(
                    "Cannot cancel job '%s': its worker is committing what it has produced; try again once that is settled."
                            .formatted(job.id),
                    job);
        jobs.apply(new Cancelled(), job);
        return null;
    }

    /** Returns why a dead letter cannot be retried; null if it can. */
    @Nullable
    public Rejection rejectToRetryDead(JobRecord job) {
        if (job.movingTo != null) return onItsWay("retry", job);
        return job.state == JobState.DISCARDED || job.isDeadLetter() ? rejectTooLate(job) : notDiscarded("retry", job);
    }

    /** Retries a job as if it were new: one that was discarded or cancelled, or that waits for its next attempt. */
    @Nullable
    public Rejection retry(JobRecord job) {
        if (job.movingTo != null) return onItsWay("retry", job);
        return switch (job.state) {
            case DISCARDED, CANCELLED, RETRYABLE -> runAgain(job);
            default ->
                wrongState(
                        "Cannot retry job '%s': it is %s, and neither discarded nor cancelled nor retryable."
                                .formatted(job.id, job.state.wire()),
                        job);
        };
    }

    /** Returns whether it is being asked whether there is room for the job to run again. */
    boolean asksToRunAgain(JobRecord job) {
        boolean mayRun = job.movingTo == null && (job.state == JobState.DISCARDED || job.state == JobState.CANCELLED);
        return mayRun && bounds.parkToRunAgain(job, null);
    }

    @Nullable
    public Rejection runAgain(JobRecord job) {
        Rejection late = rejectTooLate(job);
        if (late != null) return late;
        // A job that has not ended, or is in a queue of dead letters, has its capacity.
        // mutant: retry-into-full-queue
        Bounds.Room room = job.isLive() ? Bounds.Room.THERE : bounds.makeRoomAgain(job);
        if (room.unknown() != null) throw new IllegalStateException("%s was not asked for".formatted(room.unknown()));
        Rejection full = room.rejection();
        if (full != null) return full.with("job_id", job.id.toString());
        jobs.apply(new Retaken(job.expiresAt), job);
        return null;
    }

    private @Nullable Rejection rejectTooLate(JobRecord job) {
        Instant end = job.expiresAt;
        // mutant: retry-of-expired
        if (end == null || end.isAfter(out.now())) return null;
        return wrongState(
                        "Cannot retry job '%s': it was to run before %s or not at all."
                                .formatted(job.id, Timestamps.format(end)),
                        job)
                .with("expires_at", Timestamps.format(end));
    }

    @Nullable
    public Rejection deleteDead(JobRecord job) {
        if (job.movingTo != null) return onItsWay("delete", job);
        if (job.state != JobState.DISCARDED && !job.isDeadLetter()) return notDiscarded("delete", job);
        jobs.apply(new Deleted(), job);
        return null;
    }

    @Nullable
    public Rejection delete(JobRecord job) {
        if (job.movingTo != null) return onItsWay("delete", job);
        if (!job.state.isTerminal())
            return wrongState(
                    "Cannot delete job '%s': it is %s, and has not ended.".formatted(job.id, job.state.wire()), job);
        jobs.apply(new Deleted(), job);
        return null;
    }

    /** Ends it if need be, so that its worker and waiting callers learn of the end, and leaves nothing of it. */
    @Nullable
    Rejection purge(JobRecord job) {
        Rejection rejection = job.state.isTerminal() ? null : cancel(job);
        return rejection == null ? delete(job) : rejection;
    }

    @Nullable
    public Rejection prioritize(JobRecord job, int priority) {
        if (job.state.isTerminal())
            return wrongState(
                    "Cannot change the priority of job '%s': it is already %s.".formatted(job.id, job.state.wire()),
                    job);
        if (job.priority != priority) jobs.apply(new Prioritized(priority), job);
        return null;
    }

    /** Lets others of its order key go first until it can be fetched. */
    @Nullable
    public Rejection skip(JobRecord job) {
        if (job.movingTo != null) return onItsWay("skip", job);
        OrderPlace order = job.order;
        if (order == null) return wrongState("Cannot skip job '%s': it has no order key.".formatted(job.id), job);
        return switch (job.state) {
            case RETRYABLE, SCHEDULED, PENDING -> {
                if (!order.isPassed()) jobs.apply(new Passed("requested"), job);
                yield null;
            }
            default ->
                wrongState(
                        "Cannot skip job '%s': it is %s, and neither retryable nor scheduled nor pending; cancel it, so that the next job of its key starts."
                                .formatted(job.id, job.state.wire()),
                        job);
        };
    }

    /** Returns the rejection of an action on a job that stays unchanged until another queue has taken it. */
    private static Rejection onItsWay(String what, JobRecord job) {
        return wrongState(
                        "Cannot %s job '%s': it is on its way to queue '%s'; try again."
                                .formatted(what, job.id, job.movingTo),
                        job)
                .with("queue", String.valueOf(job.movingTo));
    }

    private static Rejection notDiscarded(String what, JobRecord job) {
        return wrongState(
                        "Cannot %s job '%s': it is not discarded but %s.".formatted(what, job.id, job.state.wire()),
                        job)
                .with("expected_state", JobState.DISCARDED.wire());
    }

    public static Rejection wrongState(String message, JobRecord job) {
        return Rejection.of(ErrorCode.CONFLICT, message)
                .with("job_id", job.id.toString())
                .with("current_state", job.state.wire());
    }
}
