package io.floodgate.topics.limit;

import io.floodgate.topics.json.WireName;

/** Reactions to a limit that is reached (OJS rate limiting §6.2). */
public enum OnLimit implements WireName {
    /** The job stays available until it can start. */
    WAIT,
    /** The job is scheduled for when its turn is expected. */
    RESCHEDULE,
    /** The job is discarded. */
    DROP
}
