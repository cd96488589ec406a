package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Rules;
import io.floodgate.processor.queue.JobChange.Activated;
import io.floodgate.processor.queue.JobChange.Cancelled;
import io.floodgate.processor.queue.JobChange.Completed;
import io.floodgate.processor.queue.JobChange.Deleted;
import io.floodgate.processor.queue.JobChange.Retaken;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.Overrides;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.JobState;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rules of one job: a function of its state, a command, and the moment the log gave it (OJS core §6.3). */
final class JobRules {
    private final Jobs jobs;
    private final Attempts attempts;
    private final Bounds bounds;
    private final Transfers transfers;
    private final LimitedJobs limited;
    private final Gate gate;
    private final Rules rules;
    private final Effects out;

    JobRules(
            Jobs jobs,
            Attempts attempts,
            Bounds bounds,
            Transfers transfers,
            LimitedJobs limited,
            Gate gate,
            Rules rules,
            Effects out) {
        this.transfers = transfers;
        this.limited = limited;
        this.gate = gate;
        this.jobs = jobs;
        this.attempts = attempts;
        this.bounds = bounds;
        this.rules = rules;
        this.out = out;
    }

    void apply(JobCommand command, Job job) {
        switch (command) {
            case Ack ack -> ack(ack, job);
            case Nack nack -> nack(nack, job);
            case Cancel c -> cancel(job);
            case Activate c -> activate(job);
            case GetJob c -> show(job);
            case RetryDead c -> retryDead(c.changes(), job);
            case DeleteDead c -> deleteDead(job);
        }
    }

    private void ack(Ack ack, Job job) {
        Optional<Refusal> refusal = refuseReport("acknowledge", ack.claimant(), job);
        if (refusal.isPresent()) {
            out.refuse(refusal.get());
            return;
        }
        if (ack.result() != null && ack.result().length > Ack.MAX_RESULT_BYTES) {
            out.refuse(Refusal.of(
                            ErrorCode.ENVELOPE_TOO_LARGE,
                            "The result has %d bytes; at most %d are kept."
                                    .formatted(ack.result().length, Ack.MAX_RESULT_BYTES))
                    .with("job_id", job.id.toString()));
            return;
        }
        jobs.apply(new Completed(ack.result()), job);
        show(job);
    }

    private void nack(Nack nack, Job job) {
        Optional<Refusal> refusal = refuseReport("report a failure of", nack.claimant(), job);
        if (refusal.isPresent()) {
            out.refuse(refusal.get());
            return;
        }
        if (nack.requeue() && rules.atLeast(2)) attempts.giveBack(job, "requeued", nack.delay());
        else if (nack.requeue()) attempts.giveBack(job, "requeued");
        else attempts.fail(job, nack.error());
        Instant until = nack.error().rateLimitUntil();
        if (until != null && rules.atLeast(2)) limited.freeze(job, until, nack.error());
        show(job);
    }

    /** Only the holder of the lease may report, as far as it says who it is. */
    private Optional<Refusal> refuseReport(String what, Claimant claimant, Job job) {
        Lease lease = job.lease;
        if (job.state != JobState.ACTIVE || lease == null)
            return Optional.of(wrongState(
                            "Cannot %s job '%s': it is not active but %s.".formatted(what, job.id, job.state.wire()),
                            job)
                    .with("expected_state", JobState.ACTIVE.wire()));
        if (claimant.lease() != null && claimant.lease() != lease.number())
            return Optional.of(wrongState(
                            "Cannot %s job '%s': lease %d has ended, the job runs under lease %d."
                                    .formatted(what, job.id, claimant.lease(), lease.number()),
                            job)
                    .with("lease", lease.number()));
        if (rules.atLeast(2) && claimant.attempt() != null && claimant.attempt() != job.attempt)
            return Optional.of(wrongState(
                            "Cannot %s job '%s': attempt %d has ended, the job is in attempt %d."
                                    .formatted(what, job.id, claimant.attempt(), job.attempt),
                            job)
                    .with("attempt", job.attempt));
        if (claimant.worker() != null
                && lease.worker() != null
                && !claimant.worker().equals(lease.worker()))
            return Optional.of(wrongState(
                            "Cannot %s job '%s': it is leased to worker '%s', not to '%s'."
                                    .formatted(what, job.id, lease.worker(), claimant.worker()),
                            job)
                    .with("worker_id", lease.worker()));
        return Optional.empty();
    }

    private static Refusal wrongState(String message, Job job) {
        return Refusal.of(ErrorCode.CONFLICT, message)
                .with("job_id", job.id.toString())
                .with("current_state", job.state.wire());
    }

    private void cancel(Job job) {
        if (isOnItsWay("cancel", job)) return;
        if (job.state.isTerminal()) {
            out.refuse(
                    wrongState("Cannot cancel job '%s': it is already %s.".formatted(job.id, job.state.wire()), job));
            return;
        }
        jobs.apply(new Cancelled(), job);
        show(job);
    }

    private void activate(Job job) {
        if (job.state != JobState.PENDING) {
            out.refuse(wrongState(
                            "Cannot activate job '%s': it is not pending but %s.".formatted(job.id, job.state.wire()),
                            job)
                    .with("expected_state", JobState.PENDING.wire()));
            return;
        }
        jobs.apply(new Activated(), job);
        show(job);
    }

    private void retryDead(Overrides changes, Job job) {
        if (isOnItsWay("retry", job)) return;
        if (job.state != JobState.DISCARDED && !job.isDeadLetter()) {
            out.refuse(wrongState(
                            "Cannot retry job '%s': it is not discarded but %s.".formatted(job.id, job.state.wire()),
                            job)
                    .with("expected_state", JobState.DISCARDED.wire()));
            return;
        }
        if (rules.atLeast(2) && job.expiresAt != null && !job.expiresAt.isAfter(out.now())) {
            out.refuse(wrongState(
                            "Cannot retry job '%s': it was to run before %s or not at all."
                                    .formatted(job.id, Timestamps.format(job.expiresAt)),
                            job)
                    .with("expires_at", Timestamps.format(job.expiresAt)));
            return;
        }
        String wanted = changes.queue();
        String queue = wanted != null ? wanted : job.letter == null ? job.queue : job.letter.origin();
        if (!changes.isNone() || !queue.equals(job.queue)) {
            Resurrection changed = Resurrection.of(job, jobs.payloads().payload(job), changes);
            Refusal impossible = changed.refuse(changes);
            if (impossible != null) out.refuse(impossible);
            else transfers.send(job, changed.job(), changed.payload(), queue, null);
            return;
        }
        // One that lies in a queue of dead letters has its room.
        Refusal full = job.isLive() ? null : bounds.makeRoomAgain(job);
        if (full != null) {
            out.refuse(full.with("job_id", job.id.toString()));
            return;
        }
        jobs.apply(new Retaken(rules.atLeast(2) ? job.expiresAt : null), job);
        show(job);
    }

    /** What stays as it is until another queue has taken it. */
    private boolean isOnItsWay(String what, Job job) {
        if (job.movingTo == null) return false;
        out.refuse(wrongState(
                        "Cannot %s job '%s': it is on its way to queue '%s'; try again."
                                .formatted(what, job.id, job.movingTo),
                        job)
                .with("queue", job.movingTo));
        return true;
    }

    private void deleteDead(Job job) {
        if (isOnItsWay("delete", job)) return;
        if (job.state != JobState.DISCARDED && !job.isDeadLetter()) {
            out.refuse(wrongState(
                            "Cannot delete job '%s': it is not discarded but %s.".formatted(job.id, job.state.wire()),
                            job)
                    .with("expected_state", JobState.DISCARDED.wire()));
            return;
        }
        jobs.apply(new Deleted(), job);
        out.reply(new JsonOut()
                .beginObject()
                .field("deleted", true)
                .field("job_id", job.id.toString())
                .endObject());
    }

    /** To whoever is waiting for what has become of it. */
    void show(Job job) {
        if (out.replyTo() == null) return;
        JsonOut lines = new JsonOut(1024);
        List<byte[]> load = bounds.loads(List.of(job.queue));
        JobView.inLines(job, jobs.parts(job), gate.limitedBy(job), load.isEmpty() ? null : load.getFirst(), lines);
        out.reply(lines);
    }
}
