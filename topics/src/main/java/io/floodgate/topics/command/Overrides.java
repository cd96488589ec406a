package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.retry.RetryOptions;
import org.jspecify.annotations.Nullable;

/**
 * What is to be different when a dead letter is tried again (OJS dead letter §6.3); whatever is null stays as it is.
 *
 * @param args a JSON array, in the place of the job's own
 * @param meta a JSON object, whose members are added to the job's own or take their place
 * @param retry laid over the job's policy
 */
public record Overrides(
        @Nullable String queue,
        @Nullable Integer priority,
        byte @Nullable [] args,
        byte @Nullable [] meta,
        RetryOptions retry) {
    public static final Overrides NONE = new Overrides(null, null, null, null, RetryOptions.NONE);

    public boolean isNone() {
        return queue == null && priority == null && args == null && meta == null && retry.isNone();
    }

    void write(JsonOut out) {
        out.beginObject().optional("queue", queue);
        if (priority != null) out.field("priority", priority);
        out.optionalRaw("args", args).optionalRaw("meta", meta);
        if (!retry.isNone()) {
            out.name("retry");
            retry.write(out);
        }
        out.endObject();
    }
}
