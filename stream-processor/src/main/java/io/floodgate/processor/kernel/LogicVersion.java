package io.floodgate.processor.kernel;

import io.floodgate.topics.command.PartitionSettings;

/**
 * The version of the logic by which the records of a partition want it to be executed. Between a kill and the next
 * start are records that were answered and not committed; a newer release must answer them alike. So what a reply or a
 * message would show changes only from an {@code upgrade} record on.
 */
public interface LogicVersion {
    /** Version of a partition without an {@code upgrade} record. */
    int FIRST = 1;

    /** Version of this release. */
    int NEWEST = 1;

    int version();

    PartitionSettings settings();
}
