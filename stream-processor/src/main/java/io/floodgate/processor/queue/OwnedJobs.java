package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.admin.JobActions;
import io.floodgate.processor.queue.bound.Admission;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.queue.bound.Producers;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobChange.Superseded;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.KeyTie;
import io.floodgate.processor.queue.state.OwnerTie;
import io.floodgate.processor.queue.tenant.ParkedCommands;
import io.floodgate.processor.queue.transfer.JobTimers;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.job.Envelope;
import org.jspecify.annotations.Nullable;

/** Jobs that the system has made, in their queues: they come in, are asked for, and are cancelled. */
public record OwnedJobs(
        Jobs jobs,
        JobTimers timers,
        JobActions actions,
        Bounds bounds,
        Admission admission,
        Producers producers,
        ParkedCommands parked,
        Effects out) {
    /** Returns whether the job, which is to come now, has waited for capacity. */
    public boolean hasWaited(JobId job) {
        return producers.comesAgain(job);
    }

    /** The job is there as this returns; or it waits, or is rejected. */
    public Bounds.Room place(PlaceOwn message, Envelope envelope) {
        boolean isFirst = jobs.ties().owners().takeRoom(message.roomOf(), envelope.queue());
        Bounds.Room room = bounds.makeRoom(envelope, message, isFirst);
        if (room.isThere()) admission.admit(envelope, message.id(), message.owner());
        bounds.park(room, message);
        producers.goes();
        return room;
    }

    /** Returns whether the job waits here for capacity. */
    public boolean waits(JobId job) {
        return producers.waitsForRoom(job) || parked.has(job);
    }

    /** Returns the state of the job; null if it is not here. */
    public @Nullable OwnerNote find(JobId id) {
        JobRecord job = current(id);
        OwnerTie tie = job == null ? null : job.ownerTie;
        if (job == null || tie == null) return null;
        return new OwnerNote(
                tie.owner(), id, tie.told(), KeyTie.stateOf(job), false, job.attempt, job.startedAt, null, null);
    }

    private @Nullable JobRecord current(JobId id) {
        out.about(Quarantine.JOB, id);
        JobRecord job = jobs.find(id);
        if (job != null) timers.catchUp(job);
        out.aboutNothing();
        return job;
    }

    /** Returns whether it runs now. */
    public boolean hasStarted(JobId id) {
        JobRecord job = current(id);
        return job != null && job.state == JobState.ACTIVE;
    }

    /** Removes the job from the wait queue, so that it does not come in. Returns false if it did not wait. */
    public boolean leaveLine(JobId job) {
        return producers.dropOwn(job) || parked.dropOwn(job);
    }

    /**
     * Cancels a job of this owner that has not ended.
     *
     * @param by the job that replaces it
     */
    public void cancel(JobId id, JobOwner owner, @Nullable JobId by) {
        JobRecord job = current(id);
        boolean isOwn =
                job != null && job.ownerTie != null && job.ownerTie.owner().equals(owner);
        if (job == null || !isOwn || !job.isLive()) return;
        if (by == null || job.movingTo != null) actions.cancel(job);
        else jobs.apply(new Superseded(by), job);
    }
}
