package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.bound.Producers;
import io.floodgate.processor.queue.fetch.StartLimits;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.KeyScope;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.WorkflowCommand.GetStepJobs;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.workflow.StepWaitReason;
import org.jspecify.annotations.Nullable;

/** The states of jobs that are steps of workflows, with one reason for each that has not ended. */
public record StepStandings(
        Queues queues, Jobs jobs, Producers producers, StartLimits limits, KeyScope scope, Effects out) {
    public void show(GetStepJobs command) {
        JsonOut lines = new JsonOut(1_024);
        for (JobId id : command.jobs()) {
            out.about(Quarantine.JOB, id);
            JobRecord job = jobs.find(id);
            if (job != null && !scope.hide(job)) show(job, lines);
            else if (job == null) showWaiting(id, lines);
        }
        out.aboutNothing();
        out.reply(lines);
    }

    private void showWaiting(JobId id, JsonOut lines) {
        Producers.Place place = producers.placeOf(id);
        if (place == null) return;
        lines.beginObject().field("id", id.toString()).field("state", "pending").name("waits");
        lines.beginObject()
                .field("reason", StepWaitReason.NO_ROOM.wire())
                .field("queue", place.queue())
                .field("place", place.number())
                .field("since", place.since())
                .endObject()
                .endObject()
                .newLine();
    }

    private void show(JobRecord job, JsonOut lines) {
        lines.beginObject()
                .field("id", job.id.toString())
                .field("state", job.state.wire())
                .field("attempt", job.attempt)
                .optional("started_at", job.startedAt);
        if (!job.state.isTerminal()) {
            lines.beginObject("waits");
            writeReason(job, lines);
            lines.endObject();
        }
        lines.endObject().newLine();
    }

    private void writeReason(JobRecord job, JsonOut out) {
        Queue queue = queues.of(job);
        switch (job.state) {
            case SCHEDULED -> reason(StepWaitReason.SCHEDULED, queue, out).optional("until", job.scheduledAt);
            case RETRYABLE ->
                reason(StepWaitReason.RETRYABLE, queue, out)
                        .optional("until", job.nextAttemptAt)
                        .field("attempt", job.attempt);
            case ACTIVE ->
                reason(StepWaitReason.ACTIVE, queue, out)
                        .optional("worker_id", worker(job))
                        .optional("since", job.startedAt);
            default -> {
                byte[] limit = limits.limitedBy(job);
                if (queue.pausedAt != null)
                    reason(StepWaitReason.QUEUE_PAUSED, queue, out).field("since", queue.pausedAt);
                else if (limit != null)
                    reason(StepWaitReason.RATE_LIMITED, queue, out)
                            .optional("key", MemberWalk.text(limit, "key").orElse(null));
                else reason(StepWaitReason.AVAILABLE, queue, out).field("since", job.enqueuedAt);
            }
        }
    }

    private static @Nullable String worker(JobRecord job) {
        return job.lease == null ? null : job.lease.worker();
    }

    private static JsonOut reason(StepWaitReason reason, Queue queue, JsonOut out) {
        return out.field("reason", reason.wire()).field("queue", queue.name);
    }
}
