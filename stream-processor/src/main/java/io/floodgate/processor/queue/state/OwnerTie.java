package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.StoredFields;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.json.JsonOut;

/**
 * The tie of a job that the system has made to its owner, which gets a message when it ends. It goes with the job
 * wherever that goes, and stays with it when the job is retried.
 *
 * @param told the number of notes that the owner was sent
 * @param over what the last note says: the job has ended, or is a dead letter
 */
public record OwnerTie(JobOwner owner, int told, boolean over) {
    static final StoredFields<OwnerTie> STORED = StoredFields.of(OwnerTie.class);

    public OwnerTie tell(boolean isOver) {
        return new OwnerTie(owner, told + 1, isOver);
    }

    /** Writes the workflow and the step of a job that is a step. */
    public void show(JsonOut out) {
        if (!owner.kind().equals("workflow")) return;
        out.field("workflow_id", owner.name());
        String[] ticket = owner.ticket().split("/", 3);
        if (ticket.length == 3) out.field("workflow_step", ticket[2]);
    }
}
