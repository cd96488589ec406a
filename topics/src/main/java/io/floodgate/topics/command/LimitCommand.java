package io.floodgate.topics.command;

import io.floodgate.topics.json.Wire;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.RateLimit;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands about rate limits, by key. */
public sealed interface LimitCommand extends Command {
    /** To the partition of the key: what is in force, and how much of it is used. */
    record GetLimit(@Wire.Most(RateLimit.NAME_CHARS) String key) implements LimitCommand {}

    /** A page of the limits whose keys lead to this partition, by key; {@code after} is the last key of the page before. */
    record ListLimits(
            @Wire.Least(1) @Wire.Capped(ListLimits.MAX_LIMIT)
            int limit,

            @Wire.Most(RateLimit.NAME_CHARS) @Nullable String after)
            implements LimitCommand {
        public static final int MAX_LIMIT = 200;
    }

    /**
     * To any log: how many of its jobs run under these keys, and how many limits hold back. Of no keys, it is those that hold back
     * most.
     */
    record CountLimited(
            @Wire.Most(CountLimited.MOST_KEYS) @Wire.Chars(RateLimit.NAME_CHARS)
            List<String> keys) implements LimitCommand {
        public static final int MOST_KEYS = 200;

        public CountLimited {
            keys = List.copyOf(keys);
        }
    }

    /** To the partition of the key: this goes before what jobs say, until it is ended, or until a time. */
    record OverrideLimit(
            @Wire.Most(RateLimit.NAME_CHARS) String key,
            @Wire.Name("limits") @Wire.OrEmpty Allowance allowance,
            @Nullable Instant until)
            implements LimitCommand {}

    /** To the partition of the key: what jobs say is in force again. */
    record EndOverride(@Wire.Most(RateLimit.NAME_CHARS) String key) implements LimitCommand {}
}
