package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands to a log as a whole. */
public sealed interface LogCommand extends Command {
    /** Time passes: the timers that are due fire, as they do before every command. */
    record Tick() implements LogCommand {}

    /** Prolongs the leases that the worker holds on these jobs. */
    record Extend(
            @Nullable String worker,
            List<JobId> jobs,
            @Nullable Duration visibility) implements LogCommand {
        public Extend {
            jobs = List.copyOf(jobs);
        }
    }

    /** A page of the log's dead letters, newest first; {@code after} is the cursor of the page before. */
    record ListDead(
            @Nullable String queue, int limit, @Nullable String after) implements LogCommand {
        public static final int MAX_LIMIT = 200;
    }

    /** Forgets everything. Offered in test mode only. */
    record Reset() implements LogCommand {}
}
