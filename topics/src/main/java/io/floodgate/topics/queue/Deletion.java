package io.floodgate.topics.queue;

import io.floodgate.topics.json.WireName;

/** What becomes of the unfinished jobs of a queue that is deleted (OJS queue configuration §5.3). */
public enum Deletion implements WireName {
    /** With any, the queue is not deleted. */
    REJECT,
    /** They are discarded. */
    DISCARD,
    /** Another queue gets them. */
    MOVE,
    /** Workers finish them, and nothing new comes in. */
    DRAIN
}
