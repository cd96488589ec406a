package io.floodgate.topics.limit;

import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The reason why no job can start under a limit.
 *
 * @param limit how many may
 * @param current how many have
 * @param until when one can at the earliest; null if another one has to end first, or an operator to change his mind
 */
public record Held(
        Strategy strategy,
        long limit,
        long current,
        @Nullable Instant until) {
    public void write(JsonOut out) {
        out.field("strategy", strategy.wire())
                .field("limit", limit)
                .field("current", current)
                .optional("until", until);
    }
}
