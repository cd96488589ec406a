package io.floodgate.processor.own;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.PlacedOwn;

/**
 * One kind of things that have jobs made and run: all of the kind that this partition keeps. What it decides on a
 * message about a job happens in the same step.
 */
public interface OwnerKind {
    /** A word that no other kind uses. */
    String kind();

    /** The job is in its queue, or waits for capacity there, or was rejected. */
    void placed(PlacedOwn answer);

    /**
     * The job has ended, or is to be run again after that. Notes may come in another order than they were written in
     * when the job has moved to another partition: a note whose number is not higher than that of an earlier one is
     * old.
     */
    void told(OwnerNote note);

    /** Messages between this partition and that one were lost: whatever is believed of jobs there may not be true. */
    default void verify(PartitionId other) {}
}
