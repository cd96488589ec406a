package io.floodgate.topics.workflow;

import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a step without a job waits for: a signal from outside of the workflow.
 *
 * @param key of the signal; null for the id of the workflow
 * @param timeout after which the step has failed; null for as long as the workflow may take
 */
public record SignalWait(
        String event, @Nullable String key, @Nullable Duration timeout) {
    /** Most steps of a workflow that wait for signals: each is a message and a timer. */
    public static final int MOST_OF_WORKFLOW = 100;

    /** The type that such a step is shown with. */
    public static final String TYPE = "wait_for";

    void write(JsonOut out) {
        out.beginObject(TYPE).field("event", event).optional("key", key);
        if (timeout != null) out.field("timeout_ms", timeout.toMillis());
        out.endObject();
    }
}
