package io.floodgate.processor.kernel;

import io.floodgate.topics.PartitionId;

/**
 * A newer release has executed this log by rules that this one does not know. It must not go on: it would answer
 * differently what has been answered already.
 */
public final class UnknownLogicVersion extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownLogicVersion(PartitionId log, int version, int newest) {
        super(
                ("Log %s is carried out by version %d of the rules, and this release knows %d at most. Install the release"
                                + " that the log was upgraded by. If it was not upgraded, the record is forged: start the"
                                + " processors with --skip-records.")
                        .formatted(log, version, newest));
    }
}
