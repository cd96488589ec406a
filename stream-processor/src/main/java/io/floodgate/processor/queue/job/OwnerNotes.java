package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobChange.Completed;
import io.floodgate.processor.queue.state.JobChange.Removed;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.KeyTie;
import io.floodgate.processor.queue.state.OwnerTie;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.TellOwners;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends notes about jobs to their owners: all of a step, and of one home, together. Owners get them before producers
 * are let in, so that the next job of an owner can take the capacity in its queue.
 */
public final class OwnerNotes {
    private final Effects out;
    private final Map<PartitionId, List<OwnerNote>> notes = new TreeMap<>();
    /** Jobs that have ended in this step, and whose capacity in this queue is still free. */
    private final Map<JobId, String> room = new TreeMap<>();

    OwnerNotes(Effects out) {
        this.out = out;
    }

    /** The change has happened to a job that has an owner; its new tie. */
    OwnerTie note(JobChange change, JobRecord job, OwnerTie tie, byte[] error) {
        JobState state = KeyTie.stateOf(job);
        boolean isGone = change instanceof Removed;
        boolean isOver = isGone || state.isTerminal();
        boolean isSilent = change instanceof Removed removed && removed.isSilent();
        // A job that a worker completes in a queue of dead letters had ended before.
        boolean isNews = isOver != tie.over() || change instanceof Completed;
        if (isSilent || !isNews) return tie;
        OwnerTie told = tie.tell(isOver);
        JobOwner owner = tie.owner();
        boolean wants = owner.wantsResult();
        byte[] result = wants && change instanceof Completed completed ? completed.result() : null;
        byte[] last = wants && error.length > 0 ? error : null;
        notes.computeIfAbsent(owner.home(), home -> new ArrayList<>())
                .add(new OwnerNote(
                        owner, job.id, told.told(), state, isGone, job.attempt, job.startedAt, result, last));
        if (!job.isLive()) room.put(job.id, job.queue);
        return told;
    }

    /** Returns whether this job has ended in the step at hand, in this queue, and its capacity is still free. */
    public boolean takeRoom(@Nullable JobId job, String queue) {
        return job != null && room.remove(job, queue);
    }

    /** Returns whether an owner here has to decide something before the step goes on. */
    public boolean send() {
        boolean isHere = notes.containsKey(out.log());
        notes.forEach((home, all) -> {
            for (List<OwnerNote> rest = all; !rest.isEmpty(); ) {
                int some = TellOwners.fitting(rest);
                out.tell(home, rest.getFirst().owner().key(), new TellOwners(out.log(), rest.subList(0, some)));
                rest = rest.subList(some, rest.size());
            }
        });
        notes.clear();
        return isHere;
    }

    void endStep() {
        if (!notes.isEmpty()) throw new IllegalStateException("owners of jobs have not got " + notes);
        forget();
    }

    void forget() {
        notes.clear();
        room.clear();
    }
}
