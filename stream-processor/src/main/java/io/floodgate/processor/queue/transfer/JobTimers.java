package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.OutOfReach;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobChange.BecameDue;
import io.floodgate.processor.queue.state.JobChange.Decayed;
import io.floodgate.processor.queue.state.JobChange.Expired;
import io.floodgate.processor.queue.state.JobChange.LeaseGraceGranted;
import io.floodgate.processor.queue.state.JobChange.Passed;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Lease;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Executes what happens to a job because time has passed. */
public record JobTimers(Jobs jobs, Attempts attempts, Effects out) implements Entity {
    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.JOB) return false;
        out.about(Quarantine.JOB, timer.job());
        JobRecord job = jobs.findReserved(timer.job());
        if (job != null) catchUp(job);
        return true;
    }

    /** Executes what is due for the job by now. Every rule that looks at a job has this done first. */
    public void catchUp(JobRecord job) {
        while (isDue(job.wakesAt())) wake(job);
    }

    private boolean isDue(@Nullable Instant time) {
        // mutant: due-timer
        return time != null && !time.isAfter(out.now());
    }

    private void wake(JobRecord job) {
        JobRecord.DeadLetterInfo info = job.deadLetterInfo;
        if (job.state == JobState.ACTIVE) endRun(job);
        else if (isDue(job.expiry())) jobs.apply(new Expired(), job);
        else if (info != null && isDue(info.until()) && job.state == JobState.AVAILABLE) jobs.apply(new Decayed(), job);
        else if (isDue(job.holdsUntil()) && !isDue(job.nextAttemptAt)) jobs.apply(new Passed("block_at_most"), job);
        // Scheduled or waiting for its next attempt: it joins the end of the queue.
        else jobs.apply(new BecameDue(), job);
    }

    private void endRun(JobRecord job) {
        Lease lease = job.lease;
        if (isDue(job.mustEndAt())) {
            if (jobs.payloads().isCommitting(job)) attempts.loseLease(job, timedOut(job));
            else attempts.fail(job, timedOut(job));
        } else if (lease != null && OutOfReach.was(lease.until(), out.now())) {
            jobs.apply(new LeaseGraceGranted(out.now().plus(OutOfReach.GRACE)), job);
        } else if (lease != null) {
            attempts.loseLease(
                    job,
                    ErrorReport.of(
                            "visibility_timeout",
                            "The lease of %s ended without a report of its worker.".formatted(lease.length())));
        }
    }

    private ErrorReport timedOut(JobRecord job) {
        Duration limit = job.timeout == null ? JobRecord.DEFAULT_TIMEOUT : job.timeout;
        Duration elapsed = job.startedAt == null ? limit : Duration.between(job.startedAt, out.now());
        byte[] details = JsonOut.object()
                .field("timeout_kind", "execution")
                .field("limit_seconds", limit.toMillis() / 1000.0)
                .field("elapsed_seconds", elapsed.toMillis() / 1000.0)
                .endObject()
                .toBytes();
        return new ErrorReport("timeout", "timeout", "The run took longer than %s.".formatted(limit), null, details);
    }
}
