package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobChange.Removed;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.KeyTie;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.UniqueMessage.KeyNote;
import io.floodgate.topics.command.UniqueMessage.TellKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells the homes of keys what becomes of jobs that have them: all of a step, and of one home, in one message; and the owners of
 * jobs that the system has made.
 */
public final class Ties implements Entity {
    private final Effects out;
    private final Map<PartitionId, List<KeyNote>> notes = new TreeMap<>();

    private final OwnerNotes owners;

    public Ties(Effects out) {
        this.out = out;
        owners = new OwnerNotes(out);
    }

    /** Returns the notes to the owners of jobs. */
    public OwnerNotes owners() {
        return owners;
    }

    /** The change has happened; with the entry in the error history of the job that it has left. */
    void note(JobChange change, JobRecord job, byte[] error) {
        if (job.tie != null) job.tie = note(change, job, job.tie);
        if (job.ownerTie != null) job.ownerTie = owners.note(change, job, job.ownerTie, error);
    }

    /** The change has happened to a job that has a key; its new tie. */
    private KeyTie note(JobChange change, JobRecord job, KeyTie tie) {
        JobState state = KeyTie.stateOf(job);
        boolean isOver = state.isTerminal();
        boolean isGone = change instanceof Removed;
        // The job goes on elsewhere, its batch reports the outcome, or the home forgets its keys, too.
        boolean isSilent = change instanceof Removed removed && removed.isSilent();
        if (isSilent || (!isGone && isOver == tie.over())) return tie;
        KeyTie told = tie.tell(isOver);
        notes.computeIfAbsent(tie.home(), home -> new ArrayList<>())
                .add(new KeyNote(
                        tie.fingerprint(),
                        job.id,
                        told.told(),
                        state,
                        isGone,
                        job.createdAt,
                        tie.states(),
                        tie.period(),
                        Identity.spaceOf(out.by())));
        return told;
    }

    /** Sends the notes before the step ends. */
    public void send() {
        notes.forEach((home, all) -> {
            for (int from = 0; from < all.size(); from += TellKeys.MOST) {
                List<KeyNote> some = all.subList(from, Math.min(all.size(), from + TellKeys.MOST));
                out.tell(home, some.getFirst().fingerprint(), new TellKeys(out.log(), some));
            }
        });
        notes.clear();
        owners.send();
    }

    @Override
    public void save() {
        if (!notes.isEmpty()) throw new IllegalStateException("homes of keys have not got " + notes);
        owners.endStep();
    }

    @Override
    public void rollBack() {
        notes.clear();
        owners.forget();
    }
}
