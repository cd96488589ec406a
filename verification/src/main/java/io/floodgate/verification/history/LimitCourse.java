package io.floodgate.verification.history;

import io.floodgate.topics.limit.Allowance;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a rate limit: which jobs ran on its permits, and what the server says of it when all is quiet.
 *
 * @param active jobs that run, in the end
 * @param waiting jobs that wait, in the end
 */
public record LimitCourse(String key, Allowance allowance, List<Run> runs, long active, long waiting) {
    public LimitCourse {
        runs = List.copyOf(runs);
    }

    /**
     * A run of a job.
     *
     * @param permit the date of its permit, by the time of the key's log
     * @param start by the time of the queue's partition, as is {@code end}, which is null if no event shows one
     */
    public record Run(
            String job,
            Instant permit,
            Instant start,
            @Nullable Instant end) {}
}
