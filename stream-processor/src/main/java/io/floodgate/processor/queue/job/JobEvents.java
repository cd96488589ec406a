package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.limit.LimitEvents;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobChange.Activated;
import io.floodgate.processor.queue.state.JobChange.Admitted;
import io.floodgate.processor.queue.state.JobChange.Arrived;
import io.floodgate.processor.queue.state.JobChange.BecameDue;
import io.floodgate.processor.queue.state.JobChange.Cancelled;
import io.floodgate.processor.queue.state.JobChange.Completed;
import io.floodgate.processor.queue.state.JobChange.DeadLettered;
import io.floodgate.processor.queue.state.JobChange.Decayed;
import io.floodgate.processor.queue.state.JobChange.Deleted;
import io.floodgate.processor.queue.state.JobChange.Discarded;
import io.floodgate.processor.queue.state.JobChange.Dismissed;
import io.floodgate.processor.queue.state.JobChange.Dropped;
import io.floodgate.processor.queue.state.JobChange.Erased;
import io.floodgate.processor.queue.state.JobChange.Expired;
import io.floodgate.processor.queue.state.JobChange.GivenBack;
import io.floodgate.processor.queue.state.JobChange.GivenUp;
import io.floodgate.processor.queue.state.JobChange.GraceGranted;
import io.floodgate.processor.queue.state.JobChange.LeaseExtended;
import io.floodgate.processor.queue.state.JobChange.LeaseGraceGranted;
import io.floodgate.processor.queue.state.JobChange.LeaseLost;
import io.floodgate.processor.queue.state.JobChange.Leaving;
import io.floodgate.processor.queue.state.JobChange.LimitDropped;
import io.floodgate.processor.queue.state.JobChange.Missed;
import io.floodgate.processor.queue.state.JobChange.MovedAway;
import io.floodgate.processor.queue.state.JobChange.Outlived;
import io.floodgate.processor.queue.state.JobChange.Passed;
import io.floodgate.processor.queue.state.JobChange.Postponed;
import io.floodgate.processor.queue.state.JobChange.Prioritized;
import io.floodgate.processor.queue.state.JobChange.Progressed;
import io.floodgate.processor.queue.state.JobChange.Promised;
import io.floodgate.processor.queue.state.JobChange.PutOff;
import io.floodgate.processor.queue.state.JobChange.Retaken;
import io.floodgate.processor.queue.state.JobChange.Retried;
import io.floodgate.processor.queue.state.JobChange.Started;
import io.floodgate.processor.queue.state.JobChange.Stayed;
import io.floodgate.processor.queue.state.JobChange.Superseded;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Lease;
import io.floodgate.processor.queue.state.OrderPlace;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.sink.WantedOutcomes;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.SinkCommand.Outcome;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.queue.OrderKey;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The events of each change of a job on {@code ojs.events}. Every such event says which state the job is in now. */
record JobEvents(Queues queues, WantedOutcomes wanted, Function<JobRecord, JobView.JobParts> parts, Effects out) {
    private static final int LARGEST_RESULT = 4096;

    /**
     * @param before the state it was in
     * @param worker that ran it until now, if it has said who it is
     * @param error the entry that the change has left in the job's error history; empty when it has left none
     */
    void emit(JobChange change, JobRecord job, JobState before, @Nullable String worker, byte[] error) {
        switch (change) {
            case Admitted c -> admitted(job, c.waitingSince());
            case Started c -> started(job, c.lease());
            case LeaseExtended c -> heartbeat(job, c.until());
            case Progressed c -> progressed(job, c);
            case LeaseGraceGranted c -> heartbeat(job, c.until());
            case Completed c -> completed(job, c, worker);
            case Retried c -> {
                failed(job, error);
                emit(
                        "job.retrying",
                        job,
                        data -> data.field("max_attempts", job.retry.maxAttempts())
                                .optional("next_retry_at", job.nextAttemptAt)
                                .fieldRaw("error", error));
                if (job.order != null && job.order.isPassed()) passed(job, job.order, "on_failure");
            }
            case Discarded c -> {
                failed(job, error);
                discarded(job, before, error);
            }
            case LeaseLost c -> {
                failed(job, error);
                available(job, c.error().type());
            }
            case GivenBack c -> available(job, c.reason());
            case Postponed c ->
                emit(
                        "floodgate.job_postponed",
                        job,
                        data -> data.optional("next_retry_at", job.nextAttemptAt)
                                .field("reason", c.reason()));
            case LimitDropped c -> {
                discarded(job, before, error);
                LimitEvents.dropped(String.valueOf(job.limitKey), job.queue, job.id, job.type, out);
            }
            case PutOff c -> emit("job.scheduled", job, data -> data.optional("scheduled_at", job.scheduledAt));
            case Dismissed c -> discarded(job, before, error);
            case Expired c -> expired(job, before, error);
            case Cancelled c -> cancelled(job, before, data -> {});
            case Superseded c ->
                cancelled(
                        job, before, data -> data.field("reason", "replaced").field("replaced_by", c.by().toString()));
            case Arrived c -> emit("job.moved", job, data -> moved(job, c.from(), data));
            case Activated c -> admitted(job, null);
            case BecameDue c -> {
                if (before == JobState.SCHEDULED) enqueued(job, data -> {});
                else available(job, "retry_due");
            }
            case Retaken c -> {
                if (before == JobState.CANCELLED || before == JobState.RETRYABLE) available(job, "retried");
                else emit("dead_letter.retried", Outcome.RETRIED, job, data -> {});
            }
            case Prioritized c -> emit("job.priority_changed", job, data -> data.field("priority", c.priority()));
            case Deleted c -> emit(isNoDeadLetter(before) ? "job.deleted" : "dead_letter.deleted", job);
            case GivenUp c -> emit("floodgate.job_given_up", job);
            case DeadLettered c ->
                emit(
                        "job.available",
                        job,
                        data -> data.field("reason", "dead_letter")
                                .field("original_queue", c.info().origin()));
            case Stayed c -> stayed(job, c);
            case Decayed c -> emit("dead_letter.pruned", job, data -> data.field("count", 1));
            case Passed c -> {
                if (job.order != null) passed(job, job.order, c.reason());
            }
            case Leaving c -> {}
            case MovedAway c -> {}
            // These were never visible, or their ends were events when they came.
            case Missed c -> {}
            case Promised c -> {}
            case GraceGranted c -> {}
            case Outlived c -> {}
            case Dropped c -> {}
            case Erased c -> {}
        }
    }

    private static boolean isNoDeadLetter(JobState before) {
        return before == JobState.COMPLETED || before == JobState.CANCELLED;
    }

    private void admitted(JobRecord job, @Nullable Instant waitingSince) {
        Consumer<JsonOut> room = data -> room(job, waitingSince, data);
        switch (job.state) {
            case SCHEDULED ->
                emit("job.scheduled", job, room.andThen(data -> data.optional("scheduled_at", job.scheduledAt)));
            case PENDING -> emit("job.pending", job, room);
            default -> enqueued(job, room);
        }
    }

    private void enqueued(JobRecord job, Consumer<JsonOut> more) {
        emit("job.enqueued", job, data -> {
            if (job.order != null) data.field(OrderKey.NAME, job.order.key());
            more.accept(data);
        });
    }

    /**
     * Writes, for readers that count along, how much of the bound the job takes, and how long its producer was blocked.
     */
    private void room(JobRecord job, @Nullable Instant waitingSince, JsonOut data) {
        if (queues.of(job).config().isBounded()) data.field("size_bytes", job.sizeBytes);
        if (waitingSince != null)
            data.field("waited_ms", Duration.between(waitingSince, out.now()).toMillis());
    }

    private void moved(JobRecord job, String from, JsonOut data) {
        data.field("from_queue", from);
        room(job, null, data);
    }

    private void started(JobRecord job, Lease lease) {
        emit("job.started", job, data -> {
            data.optional("worker_id", lease.worker())
                    .field("lease", lease.number())
                    .field("visible_until", lease.until());
            if (job.attempt == 1)
                data.field(
                        "queue_time_ms",
                        Duration.between(job.enqueuedAt, out.now()).toMillis());
            if (job.heldBackByQueueMs > 0)
                data.beginObject("queue_limit")
                        .field("key", RateLimit.keyOfQueue(job.queue))
                        .field("waited_ms", job.heldBackByQueueMs)
                        .endObject();
            if (job.limitKey == null || job.permit == 0) return;
            data.beginObject("rate_limit").field("key", job.limitKey).field("permit_us", job.permit);
            if (job.heldBackMs > 0) data.field("waited_ms", job.heldBackMs);
            data.endObject();
        });
    }

    private void heartbeat(JobRecord job, Instant until) {
        emit("job.heartbeat", job, data -> {
            if (job.lease != null) data.optional("worker_id", job.lease.worker());
            data.field("visible_until", until);
        });
    }

    private void progressed(JobRecord job, Progressed change) {
        if (!change.isTold()) return;
        emit("job.progress", job, data -> {
            if (job.lease != null) data.optional("worker_id", job.lease.worker());
            change.progress().tell(data);
            data.field("visible_until", change.until());
        });
    }

    private void completed(JobRecord job, Completed change, @Nullable String worker) {
        emit("job.completed", Outcome.COMPLETED, job, data -> {
            duration(job, data);
            data.optional("worker_id", worker);
            byte[] result = change.result();
            if (result != null && result.length <= LARGEST_RESULT) data.fieldRaw("result", result);
        });
    }

    /** Writes the duration of the last run, which has just ended. */
    private void duration(JobRecord job, JsonOut data) {
        Instant start = job.startedAt == null ? out.now() : job.startedAt;
        data.field("duration_ms", Duration.between(start, out.now()).toMillis());
    }

    private void failed(JobRecord job, byte[] error) {
        emit("job.failed", Outcome.FAILED, job, data -> data.fieldRaw("error", error));
    }

    private void cancelled(JobRecord job, JobState before, Consumer<JsonOut> more) {
        emit("job.cancelled", Outcome.CANCELLED, job, data -> {
            data.field("previous_state", before.wire());
            more.accept(data);
            if (before == JobState.ACTIVE) duration(job, data);
        });
    }

    private void discarded(JobRecord job, JobState before, byte[] error) {
        emit("job.discarded", Outcome.DISCARDED, job, data -> {
            if (before == JobState.ACTIVE) duration(job, data);
            data.field("total_attempts", job.attempt).fieldRaw("last_error", error);
        });
        if (job.deadLetter) emit("dead_letter.added", job);
    }

    private void stayed(JobRecord job, Stayed change) {
        Rejection why = change.why();
        if (why == null) return;
        emit(
                "floodgate.dead_letter_stayed",
                job,
                data -> data.field("dead_letter_queue", change.queue())
                        .field("code", why.code().wire())
                        .field("message", why.message()));
    }

    private void available(JobRecord job, String reason) {
        emit("job.available", job, data -> data.field("reason", reason));
    }

    private void passed(JobRecord job, OrderPlace order, String reason) {
        emit(
                "floodgate.order_skipped",
                job,
                data -> data.field(OrderKey.NAME, order.key()).field("reason", reason));
    }

    private void expired(JobRecord job, JobState before, byte[] error) {
        long lived = Duration.between(job.createdAt, out.now()).toMillis();
        emit(
                "job.expired",
                job,
                data -> data.field("created_at", job.createdAt)
                        .field("expired_at", out.now())
                        .field("ttl_ms", lived));
        discarded(job, before, error);
    }

    private void emit(String type, JobRecord job) {
        emit(type, job, data -> {});
    }

    private void emit(String type, JobRecord job, Consumer<JsonOut> more) {
        emit(type, null, job, more);
    }

    private void emit(String type, @Nullable Outcome outcome, JobRecord job, Consumer<JsonOut> more) {
        JsonOut data = JsonOut.object()
                .field("job_id", job.id.toString())
                .field("job_type", job.type)
                .field("queue", job.queue)
                .field("state", job.state.wire())
                .field("attempt", job.attempt);
        if (job.ownerTie != null) job.ownerTie.show(data);
        more.accept(data);
        byte[] mark = outcome == null ? null : wanted.mark(outcome, job.queue, job.type, () -> shown(job));
        out.emitMarked(type, job.id.toString(), job.queue, data.endObject(), mark);
    }

    private JsonOut shown(JobRecord job) {
        JsonOut shown = new JsonOut(1_024);
        JobView.complete(job, parts.apply(job), shown);
        return shown;
    }
}
