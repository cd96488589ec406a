package io.floodgate.topics.command;

import io.floodgate.topics.json.Wire;
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

        @Wire.Least(-Limits.MOST_PRIORITY) @Wire.Most(Limits.MOST_PRIORITY) @Nullable
        Integer priority,

        @Wire.JsonArray @Wire.ForClients byte @Nullable [] args,
        @Wire.ForClients byte @Nullable [] meta,
        @Wire.OrEmpty RetryOptions retry) {
    public static final Overrides NONE = new Overrides(null, null, null, null, RetryOptions.NONE);

    public boolean isNone() {
        return queue == null && priority == null && args == null && meta == null && retry.isNone();
    }
}
