package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import org.jspecify.annotations.Nullable;

/** What operators ask of the keys of unique jobs, at each partition that may be the home of a key. */
public sealed interface KeyCommand extends Command {
    /** Which jobs have this key, as far as this partition is its home? */
    record GetKey(String key) implements KeyCommand {}

    /** A page of the jobs whose keys have their home in this partition, by key; {@code after} is the last key of the page before. */
    record ListKeys(int limit, @Nullable String after) implements KeyCommand {
        public static final int MAX_LIMIT = 200;
    }

    /**
     * The jobs do not have the key any more, and go on.
     *
     * @param job this one alone; null for all that have it
     */
    record ReleaseKey(String key, @Nullable JobId job) implements KeyCommand {}
}
