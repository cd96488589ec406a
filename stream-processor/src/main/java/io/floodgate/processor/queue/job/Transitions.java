package io.floodgate.processor.queue.job;

import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobChange.Activated;
import io.floodgate.processor.queue.state.JobChange.Admitted;
import io.floodgate.processor.queue.state.JobChange.Arrived;
import io.floodgate.processor.queue.state.JobChange.BecameDue;
import io.floodgate.processor.queue.state.JobChange.Cancelled;
import io.floodgate.processor.queue.state.JobChange.Completed;
import io.floodgate.processor.queue.state.JobChange.DeadLettered;
import io.floodgate.processor.queue.state.JobChange.Decayed;
import io.floodgate.processor.queue.state.JobChange.Discarded;
import io.floodgate.processor.queue.state.JobChange.Dismissed;
import io.floodgate.processor.queue.state.JobChange.Expired;
import io.floodgate.processor.queue.state.JobChange.GivenBack;
import io.floodgate.processor.queue.state.JobChange.GraceGranted;
import io.floodgate.processor.queue.state.JobChange.LeaseExtended;
import io.floodgate.processor.queue.state.JobChange.LeaseGraceGranted;
import io.floodgate.processor.queue.state.JobChange.LeaseLost;
import io.floodgate.processor.queue.state.JobChange.Leaving;
import io.floodgate.processor.queue.state.JobChange.LimitDropped;
import io.floodgate.processor.queue.state.JobChange.Missed;
import io.floodgate.processor.queue.state.JobChange.Passed;
import io.floodgate.processor.queue.state.JobChange.Postponed;
import io.floodgate.processor.queue.state.JobChange.Prioritized;
import io.floodgate.processor.queue.state.JobChange.Progressed;
import io.floodgate.processor.queue.state.JobChange.Promised;
import io.floodgate.processor.queue.state.JobChange.PutOff;
import io.floodgate.processor.queue.state.JobChange.Removed;
import io.floodgate.processor.queue.state.JobChange.Retaken;
import io.floodgate.processor.queue.state.JobChange.Retried;
import io.floodgate.processor.queue.state.JobChange.Started;
import io.floodgate.processor.queue.state.JobChange.Stayed;
import io.floodgate.processor.queue.state.JobChange.Superseded;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Lease;
import io.floodgate.processor.queue.state.OrderPlace;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.JobState;
import java.time.Instant;

/** Applies each change to a job's fields: the transitions of OJS core §6.3. */
record Transitions(Queues queues) {
    void apply(JobChange change, JobRecord job, Instant now) {
        // Whatever else happens to it: its capacity is free.
        job.promise = change instanceof Promised promised ? promised.promise() : null;
        switch (change) {
            case Admitted c -> {
                job.reserved = false;
                takeLastPlace(job);
            }
            case Started c -> start(job, c, now);
            case Arrived c -> {
                job.reserved = false;
                takeLastPlace(job);
            }
            case LeaseExtended c -> job.lease = leaseOf(job).extendedTo(c.until());
            case Progressed c -> {
                job.lease = leaseOf(job).extendedTo(c.until());
                // It has been run: whether that counts is to be found out, however late.
                if (c.progress().checkpoint().isCommitting()) job.expiresAt = null;
            }
            case LeaseGraceGranted c -> job.lease = leaseOf(job).gracedTo(c.until());
            case Missed c -> job.lease = leaseOf(job).missed(now);
            case Completed c -> end(job, JobState.COMPLETED, now);
            case Retried c -> retryLater(job, c, now);
            case Discarded c -> discard(job, c.deadLetter(), now);
            case LeaseLost c -> backToAvailable(job);
            case GivenBack c -> backUntried(job);
            case Postponed c -> {
                backUntried(job);
                job.state = JobState.RETRYABLE;
                job.nextAttemptAt = now.plus(c.delay());
                if (job.order != null) job.order = job.order.inLine();
            }
            case Expired c -> {
                // mutant: expired-dead-letter
                discard(job, job.retry.deadLetterOnExhaustion(), now);
                job.expired = true;
            }
            case LimitDropped c -> discard(job, false, now);
            case PutOff c -> {
                job.state = JobState.SCHEDULED;
                job.scheduledAt = c.until();
                job.putOff = true;
                if (job.order != null) job.order = job.order.inLine();
            }
            case Dismissed c -> discard(job, false, now);
            case Promised c -> {}
            case GraceGranted c -> {}
            case Cancelled c -> cancel(job, now);
            case Superseded c -> cancel(job, now);
            case Activated c -> activate(job, now);
            case BecameDue c -> {
                // A job that a limit has put off has waited before.
                if (job.putOff) job.state = JobState.AVAILABLE;
                else toTheEndOfTheLine(job);
                job.scheduledAt = null;
                job.nextAttemptAt = null;
            }
            case Retaken c -> retake(job, c, now);
            case Passed c -> {
                if (job.order != null) job.order = job.order.passed();
            }
            case Leaving c -> job.movingTo = c.queue();
            case Stayed c -> job.movingTo = null;
            case DeadLettered c -> {
                retake(job, new Retaken(job.expiresAt), now);
                job.reEnqueuedAt = null;
                job.deadLetterInfo = c.info();
            }
            case Decayed c -> discard(job, false, now);
            case Prioritized c -> job.priority = c.priority();
            case Removed c -> {}
        }
        // Whatever ended its run: the permit is free.
        // mutant: permit-freed
        if (job.lease == null) job.permit = 0;
    }

    private static Lease leaseOf(JobRecord job) {
        if (job.lease == null) throw new IllegalStateException("job %s is not leased".formatted(job.id));
        return job.lease;
    }

    private static void start(JobRecord job, Started change, Instant now) {
        Lease lease = change.lease();
        job.permit = change.permit();
        job.putOff = false;
        job.state = JobState.ACTIVE;
        job.startedAt = now;
        // mutant: attempt-count
        job.attempt++;
        job.leases = lease.number();
        job.lease = lease;
    }

    private static void end(JobRecord job, JobState state, Instant now) {
        job.state = state;
        // mutant: ended-at
        job.endedAt = now;
        job.lease = null;
        job.nextAttemptAt = null;
        job.scheduledAt = null;
        job.previousState = null;
    }

    private static void cancel(JobRecord job, Instant now) {
        JobState before = job.state;
        end(job, JobState.CANCELLED, now);
        job.previousState = before;
    }

    private void takeLastPlace(JobRecord job) {
        // mutant: order-number
        if (job.order != null) job.order = job.order.at(queues.of(job).nextRank());
    }

    private void retryLater(JobRecord job, Retried change, Instant now) {
        job.state = JobState.RETRYABLE;
        OrderPlace order = job.order;
        // mutant: order-after-failure
        if (order != null)
            job.order = order.afterFailure(queues.of(job).config().policy().order(), now);
        job.lease = null;
        job.retryDelay = change.delay();
        job.nextAttemptAt = now.plus(change.delay());
    }

    private static void discard(JobRecord job, boolean deadLetter, Instant now) {
        end(job, JobState.DISCARDED, now);
        job.deadLetter = deadLetter;
    }

    private static void backToAvailable(JobRecord job) {
        job.state = JobState.AVAILABLE;
        job.lease = null;
        job.startedAt = null;
    }

    private static void backUntried(JobRecord job) {
        backToAvailable(job);
        // mutant: attempt-given-back
        job.attempt--;
    }

    private void toTheEndOfTheLine(JobRecord job) {
        job.state = JobState.AVAILABLE;
        // mutant: rank-of-retry
        job.rank = queues.of(job).nextRank();
    }

    private void activate(JobRecord job, Instant now) {
        boolean later = job.scheduledAt != null && job.scheduledAt.isAfter(now);
        toTheEndOfTheLine(job);
        if (later) job.state = JobState.SCHEDULED;
        job.activatedAt = now;
        job.previousState = JobState.PENDING;
    }

    private void retake(JobRecord job, Retaken change, Instant now) {
        boolean isNew = job.state.isTerminal() || job.isDeadLetter();
        toTheEndOfTheLine(job);
        // One that waits for its next attempt only comes sooner: others of its key have come after it.
        if (isNew) takeLastPlace(job);
        else if (job.order != null) job.order = job.order.inLine();
        job.deadLetter = false;
        job.deadLetterInfo = null;
        job.expired = false;
        job.expiresAt = change.expiresAt();
        job.attempt = 0;
        job.startedAt = null;
        job.nextAttemptAt = null;
        job.endedAt = null;
        job.previousState = null;
        job.retryDelay = null;
        job.reEnqueuedAt = now;
    }
}
