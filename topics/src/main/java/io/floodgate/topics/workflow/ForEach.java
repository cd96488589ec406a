package io.floodgate.topics.workflow;

import io.floodgate.topics.json.JsonOut;
import org.jspecify.annotations.Nullable;

/**
 * A list in the result of another step: the step has a job for each element of it.
 *
 * @param step its index, which this one needs
 * @param at a JSON pointer into its result; null if the result is the list
 * @param most elements; with more, the step has failed
 */
public record ForEach(int step, @Nullable String at, int most) {
    /** Most elements of a list. */
    public static final int MOST = 1_000;

    /** Most bytes of its jobs together. */
    public static final int MAX_BYTES = 8 * 1024 * 1024;

    void write(String id, JsonOut out) {
        out.beginObject("for_each")
                .field("step", id)
                .optional("at", at)
                .field("max", most)
                .endObject();
    }
}
