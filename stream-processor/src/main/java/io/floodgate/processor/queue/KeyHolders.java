package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.KeyScope;
import io.floodgate.processor.queue.state.JobChange.GraceGranted;
import io.floodgate.processor.queue.state.JobChange.Promised;
import io.floodgate.processor.queue.state.JobChange.Superseded;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.KeyTie;
import io.floodgate.processor.queue.transfer.JobTimers;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.UniqueMessage.Holder;
import io.floodgate.topics.command.UniqueMessage.Holder.Phase;
import io.floodgate.topics.unique.UniquePolicy;
import org.jspecify.annotations.Nullable;

/** Answers about jobs that have keys, and ends those that other jobs replace. */
public record KeyHolders(Jobs jobs, JobTimers timers, KeyScope scope, Effects out) {
    /** Promise of a replaced job: nothing of it counts, since its successor does. */
    private static final JobRecord.Promise NOTHING_COUNTS = new JobRecord.Promise(false, 0, false);

    /**
     * Returns the state of the job; null if it is not here. A reserved job has the state that it gets once its batch is
     * settled.
     */
    public @Nullable Holder find(JobId id) {
        out.about(Quarantine.JOB, id);
        JobRecord job = jobs.findReserved(id);
        if (job != null && !job.reserved) timers.catchUp(job);
        out.aboutNothing();
        if (job == null) return null;
        return new Holder(
                id,
                out.log(),
                KeyTie.stateOf(job),
                job.createdAt,
                out.now(),
                job.state == JobState.SCHEDULED ? job.scheduledAt : null,
                phase(job),
                scope.hide(job));
    }

    private static Phase phase(JobRecord job) {
        if (job.reserved) return Phase.RESERVED;
        return job.isLive() ? Phase.LIVE : Phase.OVER;
    }

    /**
     * Lets another job replace this one: that one counts instead, until it is decided.
     *
     * @param now it is decided in this step; otherwise only a job that no worker can fetch meanwhile gives its capacity
     */
    public void makeWay(JobId id, boolean now) {
        JobRecord job = jobs.find(id);
        boolean canMakeWay = job != null && job.isLive() && job.promise == null && job.movingTo == null;
        if (job != null && canMakeWay && (now || job.state == JobState.AVAILABLE))
            jobs.apply(new Promised(NOTHING_COUNTS), job);
    }

    /** Lets the job go on, since it was not replaced. */
    public void goOn(JobId id) {
        JobRecord job = jobs.find(id);
        if (job != null && job.promise != null) jobs.apply(new GraceGranted(), job);
    }

    /** @param states in which it still counts; in any other it goes on */
    public void supersede(JobId id, JobId by, int states) {
        JobRecord job = jobs.find(id);
        boolean counts = job != null && (states & UniquePolicy.mask(KeyTie.stateOf(job))) != 0;
        if (job != null && counts && job.isLive() && job.movingTo == null) jobs.apply(new Superseded(by), job);
        else goOn(id);
    }
}
