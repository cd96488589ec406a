package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobChange.Discarded;
import io.floodgate.processor.queue.state.JobChange.GivenBack;
import io.floodgate.processor.queue.state.JobChange.LeaseLost;
import io.floodgate.processor.queue.state.JobChange.Postponed;
import io.floodgate.processor.queue.state.JobChange.Retried;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.topics.command.ErrorReport;
import java.time.Duration;

/** Decides about a job whose run has failed (OJS retry §7.2). */
public record Attempts(Jobs jobs, DeadLetterMoves deadLetterMoves) {
    /** The handler reported a failure, or took too long: the retry policy decides. */
    public void fail(JobRecord job, ErrorReport error) {
        apply(afterFailure(job, error), job);
    }

    private void apply(JobChange change, JobRecord job) {
        jobs.apply(change, job);
        if (change instanceof Discarded discarded) deadLetterMoves.moveToDeadLetters(job, discarded.error());
    }

    private static JobChange afterFailure(JobRecord job, ErrorReport error) {
        switch (error.code()) {
            case "DISCARD", "FAIL" -> {
                return new Discarded(error, false);
            }
            case "DEAD_LETTER" -> {
                return new Discarded(error, true);
            }
            default -> {}
        }
        boolean again = job.retry.allowsRetryAfter(job.attempt)
                && !Boolean.FALSE.equals(error.retryable())
                && !job.retry.rulesOut(error.type())
                && !job.retry.rulesOut(error.code());
        return again
                ? new Retried(error, job.retry.delayAfter(job.attempt, job.id))
                : new Discarded(error, job.retry.deadLetterOnExhaustion());
    }

    /**
     * Ends the lease of a worker that is gone or silent: another one may try at once, if attempts are left, or must find out
     * whether the job is done.
     */
    public void loseLease(JobRecord job, ErrorReport error) {
        boolean again = (!job.discardOnWorkerLost && job.retry.allowsRetryAfter(job.attempt))
                || jobs.payloads().isCommitting(job);
        apply(again ? new LeaseLost(error) : new Discarded(error, job.retry.deadLetterOnExhaustion()), job);
    }

    /** The job was not run. */
    public void giveBack(JobRecord job, String reason) {
        giveBack(job, reason, Duration.ZERO);
    }

    /** The job was not run, and its worker asks that no worker tries for a while. */
    public void giveBack(JobRecord job, String reason, Duration delay) {
        jobs.apply(delay.isZero() ? new GivenBack(reason) : new Postponed(reason, delay), job);
    }
}
