package io.floodgate.topics.workflow;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.WireName;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A condition about one of the steps that a step needs. All others that it needs have to end well.
 *
 * @param step its index
 * @param ended how it must have ended; null if only its result counts
 * @param at a JSON pointer into its result; null for the whole result
 * @param value the JSON that must stand there; null if only its end counts
 * @param isOther whether any other JSON must stand there instead
 */
public record StepCondition(
        int step,
        @Nullable Ended ended,
        @Nullable String at,
        @Nullable String value,
        boolean isOther) {
    /** How a step has ended. */
    public enum Ended implements WireName {
        COMPLETED,
        FAILED,
        SKIPPED,
        /** The signal has not come in time. */
        TIMED_OUT
    }

    void write(String id, JsonOut out) {
        out.beginObject("run_if")
                .field("step", id)
                .optional("ended", ended == null ? null : ended.wire())
                .optional("at", at)
                .optionalRaw(
                        isOther ? "not_equals" : "equals",
                        value == null ? null : value.getBytes(StandardCharsets.UTF_8))
                .endObject();
    }
}
