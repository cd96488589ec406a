package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import org.jspecify.annotations.Nullable;

/** What those who look after jobs and workers ask of a log, a slice at a time. */
public sealed interface AdminCommand extends Command {
    /**
     * Jobs of the log in the order of their ids, which for ids that Floodgate made is that of their coming.
     *
     * @param after the cursor of the slice before: the id it ended with
     */
    record ListJobs(
            JobFilter filter,
            boolean oldestFirst,
            int limit,
            @Nullable JobId after) implements AdminCommand {
        public static final int MAX_LIMIT = 200;
    }

    /** The workers whose registry this log is, by name; {@code after} is the cursor of the slice before. */
    record ListWorkers(int limit, @Nullable String after) implements AdminCommand {
        public static final int MAX_LIMIT = 200;
    }

    /** The jobs that the worker has leases of in this log. */
    record ListLeases(String worker, int limit) implements AdminCommand {
        public static final int MAX_LIMIT = 200;
    }
}
