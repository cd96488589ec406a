package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.admin.JobActions;
import io.floodgate.processor.queue.admin.Reasons;
import io.floodgate.processor.queue.fetch.LimitedJobs;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobChange.Activated;
import io.floodgate.processor.queue.state.JobChange.Completed;
import io.floodgate.processor.queue.state.JobChange.Progressed;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Lease;
import io.floodgate.processor.queue.state.RunProgress;
import io.floodgate.processor.queue.transfer.Attempts;
import io.floodgate.processor.queue.transfer.DeadLetterRetry;
import io.floodgate.processor.queue.transfer.Transfers;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.DeleteJob;
import io.floodgate.topics.command.JobCommand.DropCheckpoint;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobCommand.SetPriority;
import io.floodgate.topics.command.JobCommand.SkipJob;
import io.floodgate.topics.command.Overrides;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules of one job: a function of its state, a command, and the moment the partition gave it (OJS core §6.3). */
record JobRules(
        Jobs jobs,
        Attempts attempts,
        JobActions actions,
        Transfers transfers,
        LimitedJobs limited,
        Reasons reasons,
        JobReplies replies,
        Effects out) {
    void apply(JobCommand command, JobRecord job) {
        switch (command) {
            case Ack ack -> ack(ack, job);
            case Nack nack -> nack(nack, job);
            case Progress progress -> progress(progress, job);
            case DropCheckpoint c -> dropCheckpoint(c, job);
            case Cancel c -> answer(actions.cancel(job), job);
            case Activate c -> activate(job);
            case SkipJob c -> answer(actions.skip(job), job);
            case GetJob c -> replies.show(job, reasons.of(job, replies.isLimited(job)));
            case RetryDead c -> retryDead(c.changes(), job);
            case DeleteDead c -> delete(actions.deleteDead(job), job);
            case RetryJob c -> answer(actions.retry(job), job);
            case DeleteJob c -> delete(actions.delete(job), job);
            case SetPriority c -> answer(actions.prioritize(job, c.priority()), job);
        }
    }

    private void ack(Ack ack, JobRecord job) {
        Optional<Rejection> rejection = rejectReport("acknowledge", ack.claimant(), job);
        if (rejection.isPresent()) {
            out.reject(rejection.get());
            return;
        }
        if (ack.result() != null && ack.result().length > Ack.MAX_RESULT_BYTES) {
            out.reject(Rejection.of(
                            ErrorCode.RESULT_TOO_LARGE,
                            "The result has %d bytes; at most %d are kept."
                                    .formatted(ack.result().length, Ack.MAX_RESULT_BYTES))
                    .with("job_id", job.id.toString()));
            return;
        }
        jobs.apply(new Completed(ack.result()), job);
        replies.show(job);
    }

    private void nack(Nack nack, JobRecord job) {
        Optional<Rejection> rejection = rejectReport("report a failure of", nack.claimant(), job);
        if (rejection.isPresent()) {
            out.reject(rejection.get());
            return;
        }
        if (nack.requeue()) attempts.giveBack(job, "requeued", nack.delay());
        else attempts.fail(job, nack.error());
        Instant until = nack.error().rateLimitUntil();
        if (until != null) limited.freeze(job, until, nack.error());
        replies.show(job);
    }

    private void progress(Progress command, JobRecord job) {
        Optional<Rejection> rejection = rejectReport("report progress of", command.claimant(), job);
        Lease lease = job.lease;
        if (rejection.isPresent() || lease == null) {
            rejection.ifPresent(out::reject);
            return;
        }
        RunProgress before = jobs.payloads().progress(job);
        if (RunProgress.isStale(before, command.report())) {
            out.reject(JobActions.wrongState(
                            "Cannot store checkpoint %d of job '%s': a later one is there."
                                    .formatted(command.report().sequence(), job.id),
                            job)
                    .with(
                            "checkpoint_sequence",
                            before == null ? 0 : before.checkpoint().sequence()));
            return;
        }
        RunProgress.Step step = RunProgress.after(before, command.report(), lease.number(), out.now());
        store(step.now(), step.isTold(), lease, job);
    }

    private void dropCheckpoint(DropCheckpoint command, JobRecord job) {
        Optional<Rejection> rejection = rejectReport("delete the checkpoint of", command.claimant(), job);
        Lease lease = job.lease;
        if (rejection.isPresent() || lease == null) {
            rejection.ifPresent(out::reject);
            return;
        }
        RunProgress before = jobs.payloads().progress(job);
        if (before == null || before.checkpoint().saved() == null) {
            out.reject(Rejection.notFound("checkpoint", job.id.toString()));
            return;
        }
        store(before.withoutCheckpoint(), false, lease, job);
    }

    private void store(RunProgress progress, boolean isTold, Lease lease, JobRecord job) {
        jobs.apply(new Progressed(progress, out.now().plus(lease.length()), isTold), job);
        JsonOut reply = JsonOut.object()
                .field("job_id", job.id.toString())
                .field("state", job.state.wire())
                .field("lease_expires_at", out.now().plus(lease.length()));
        progress.show(job, reply);
        out.reply(reply.endObject());
    }

    /** Rejects a report of a client that does not hold the lease, as far as it says who it is. */
    private Optional<Rejection> rejectReport(String what, Claimant claimant, JobRecord job) {
        Lease lease = job.lease;
        if (job.state != JobState.ACTIVE || lease == null)
            return Optional.of(JobActions.wrongState(
                            "Cannot %s job '%s': it is not active but %s.".formatted(what, job.id, job.state.wire()),
                            job)
                    .with("expected_state", JobState.ACTIVE.wire()));
        // mutant: ended-lease
        if (claimant.lease() != null && claimant.lease() != lease.number())
            return Optional.of(JobActions.wrongState(
                            "Cannot %s job '%s': lease %d has ended, the job runs under lease %d."
                                    .formatted(what, job.id, claimant.lease(), lease.number()),
                            job)
                    .with("lease", lease.number()));
        // mutant: earlier-attempt
        if (claimant.attempt() != null && claimant.attempt() != job.attempt)
            return Optional.of(JobActions.wrongState(
                            "Cannot %s job '%s': attempt %d has ended, the job is in attempt %d."
                                    .formatted(what, job.id, claimant.attempt(), job.attempt),
                            job)
                    .with("attempt", job.attempt));
        if (claimant.worker() != null
                && lease.worker() != null
                && !claimant.worker().equals(lease.worker()))
            return Optional.of(JobActions.wrongState(
                            "Cannot %s job '%s': it is leased to worker '%s', not to '%s'."
                                    .formatted(what, job.id, lease.worker(), claimant.worker()),
                            job)
                    .with("worker_id", lease.worker()));
        return Optional.empty();
    }

    private void activate(JobRecord job) {
        if (job.state != JobState.PENDING) {
            out.reject(JobActions.wrongState(
                            "Cannot activate job '%s': it is not pending but %s.".formatted(job.id, job.state.wire()),
                            job)
                    .with("expected_state", JobState.PENDING.wire()));
            return;
        }
        jobs.apply(new Activated(), job);
        replies.show(job);
    }

    private void retryDead(Overrides changes, JobRecord job) {
        Rejection rejection = actions.rejectToRetryDead(job);
        if (rejection != null) {
            out.reject(rejection);
            return;
        }
        String wanted = changes.queue();
        // mutant: dead-letter-origin
        String queue = wanted != null ? wanted : job.deadLetterInfo == null ? job.queue : job.deadLetterInfo.origin();
        if (!changes.isNone() || !queue.equals(job.queue)) {
            DeadLetterRetry changed = DeadLetterRetry.of(job, jobs.payloads().payload(job), changes);
            Rejection impossible = changed.reject(changes);
            if (impossible != null) out.reject(impossible);
            else transfers.send(job, changed.job(), changed.payload(), queue, null);
            return;
        }
        answer(actions.runAgain(job), job);
    }

    /** Rejects with this, or else shows what has become of the job. */
    private void answer(@Nullable Rejection rejection, JobRecord job) {
        if (rejection == null) replies.show(job);
        else out.reject(rejection);
    }

    private void delete(@Nullable Rejection rejection, JobRecord job) {
        if (rejection == null)
            out.reply(JsonOut.object()
                    .field("deleted", true)
                    .field("job_id", job.id.toString())
                    .endObject());
        else out.reject(rejection);
    }
}
