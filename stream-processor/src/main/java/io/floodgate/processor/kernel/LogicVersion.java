package io.floodgate.processor.kernel;

import io.floodgate.topics.command.PartitionSettings;

/**
 * What the records of a partition have decided about how it is executed. Between a kill and the next start lie records that
 * were answered and not committed; a newer release must answer them alike. So what a reply or a message would show
 * changes only from an {@code upgrade} record on.
 */
public interface LogicVersion {
    /** Those by which a partition without an {@code upgrade} record is executed. */
    int FIRST = 1;

    /** Those of this release. */
    int NEWEST = 1;

    int version();

    PartitionSettings settings();
}
