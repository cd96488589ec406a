package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.Wire;
import io.floodgate.topics.unique.UniquePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What operators and gateways ask of the keys of unique jobs, at the partitions that may be the homes of keys. */
public sealed interface KeyCommand extends Command {
    /** Which jobs have this key, as far as this partition is its home? */
    record GetKey(@Wire.Matches(UniquePolicy.FINGERPRINT) String key) implements KeyCommand {}

    /** How many of these keys, whose home is this partition, do jobs have, or may the sender not have? */
    record CheckKeys(
            @Wire.Matches(UniquePolicy.FINGERPRINT) @Wire.Most(Limits.JOBS_OF_A_BATCH)
            List<String> keys) implements KeyCommand {
        public CheckKeys {
            keys = List.copyOf(keys);
        }
    }

    /** A page of the jobs whose keys have their home in this partition, by key; {@code after} is the last key of the page before. */
    record ListKeys(
            @Wire.Least(1) @Wire.Capped(ListKeys.MAX_LIMIT) int limit,

            @Wire.Matches(UniquePolicy.FINGERPRINT) @Nullable
            String after)
            implements KeyCommand {
        public static final int MAX_LIMIT = 200;
    }

    /**
     * The jobs do not have the key any more, and go on.
     *
     * @param job this one alone; null for all that have it
     */
    record ReleaseKey(
            @Wire.Matches(UniquePolicy.FINGERPRINT) String key,
            @Nullable JobId job) implements KeyCommand {}
}
