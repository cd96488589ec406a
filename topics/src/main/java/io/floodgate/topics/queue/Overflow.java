package io.floodgate.topics.queue;

import io.floodgate.topics.json.WireName;
import java.util.Optional;

/** What becomes of a job that does not fit into its queue (OJS backpressure §5). */
public enum Overflow implements WireName {
    /** It is rejected. */
    REJECT,
    /** Its producer waits for room, as long as it has said. */
    BLOCK,
    /** The least urgent and then oldest available jobs make room for it. */
    DROP_OLDEST;

    /**
     * Whether a job without room stays in its topic.
     *
     * @param isOfSource its producer knows nothing of the queue, and could not send it again
     */
    public boolean holdsBack(boolean isOfSource) {
        return this == BLOCK || (isOfSource && this == REJECT);
    }

    /** Also with a hyphen. */
    public static Optional<Overflow> parse(String text) {
        return WireName.parse(Overflow.class, text.replace('-', '_'));
    }
}
