package io.floodgate.verification.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event about a job, in the order of its partition.
 *
 * @param state the job's state after it
 * @param at the time of its partition
 * @param from for {@code job.moved}, the queue that it comes from; null for all others
 * @param lease of {@code job.started}
 */
public record EventSeen(
        String id,
        Instant at,
        String type,
        String queue,
        @Nullable String from,
        String job,
        String state,
        @Nullable Long lease) {
    /** The job has left another queue, and begins to be in this one. */
    boolean isArrival() {
        return from != null;
    }
}
