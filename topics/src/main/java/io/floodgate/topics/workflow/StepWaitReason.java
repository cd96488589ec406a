package io.floodgate.topics.workflow;

import io.floodgate.topics.json.WireName;

/** Reason why a step of a workflow has not ended, as its partition or that of its job says. */
public enum StepWaitReason implements WireName {
    ACTIVE,
    AVAILABLE,
    /** The partition of its queue has not said how it stands. */
    LOG_SILENT,
    /** It waits for capacity in its queue. */
    NO_ROOM,
    /** The wait queue of its queue is full, too. */
    OWN_LINE_FULL,
    QUEUE_PAUSED,
    RATE_LIMITED,
    RETRYABLE,
    SCHEDULED,
    /** It has no job, and waits for a signal. */
    SIGNAL,
    WAITS_FOR
}
