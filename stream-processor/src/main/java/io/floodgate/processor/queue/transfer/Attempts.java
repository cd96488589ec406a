package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.Job;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobChange.Discarded;
import io.floodgate.processor.queue.state.JobChange.GivenBack;
import io.floodgate.processor.queue.state.JobChange.LeaseLost;
import io.floodgate.processor.queue.state.JobChange.Postponed;
import io.floodgate.processor.queue.state.JobChange.Retried;
import io.floodgate.topics.command.ErrorReport;
import java.time.Duration;

/** What becomes of a job whose run has failed (OJS retry §7.2). */
public final class Attempts {
    private final Jobs jobs;
    private final Burials burials;

    public Attempts(Jobs jobs, Burials burials) {
        this.jobs = jobs;
        this.burials = burials;
    }

    /** The handler reported a failure, or took too long: the retry policy decides. */
    public void fail(Job job, ErrorReport error) {
        apply(afterFailure(job, error), job);
    }

    private void apply(JobChange change, Job job) {
        jobs.apply(change, job);
        if (change instanceof Discarded discarded) burials.bury(job, discarded.error());
    }

    private static JobChange afterFailure(Job job, ErrorReport error) {
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

    /** The worker is gone or has not been heard of in time: another one may try at once, if attempts are left. */
    public void loseLease(Job job, ErrorReport error) {
        boolean again = !job.discardOnWorkerLost && job.retry.allowsRetryAfter(job.attempt);
        apply(again ? new LeaseLost(error) : new Discarded(error, job.retry.deadLetterOnExhaustion()), job);
    }

    /** The job was not run. */
    public void giveBack(Job job, String reason) {
        giveBack(job, reason, Duration.ZERO);
    }

    /** The job was not run, and whoever had it asks that nobody tries for a while. */
    public void giveBack(Job job, String reason, Duration delay) {
        jobs.apply(delay.isZero() ? new GivenBack(reason) : new Postponed(reason, delay), job);
    }
}
