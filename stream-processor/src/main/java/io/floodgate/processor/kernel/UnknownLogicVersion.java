package io.floodgate.processor.kernel;

import io.floodgate.topics.PartitionId;

/**
 * A newer release has executed this partition by rules that this one does not know. It must not go on: it would answer
 * differently what has been answered already.
 */
public final class UnknownLogicVersion extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownLogicVersion(PartitionId log, int version, int newest) {
        super(("Partition %s has logic version %d, and this release knows up to %d. Install the release"
                        + " that upgraded the partition. If it was not upgraded, the record is forged: start the"
                        + " processors with --skip-records.")
                .formatted(log, version, newest));
    }
}
