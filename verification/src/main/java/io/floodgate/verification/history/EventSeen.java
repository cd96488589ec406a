package io.floodgate.verification.history;

import org.jspecify.annotations.Nullable;

/**
 * An event about a job, in the order of its partition.
 *
 * @param state the job's state after it
 * @param lease of {@code job.started}
 */
public record EventSeen(
        String id,
        String type,
        String job,
        String state,
        @Nullable Long lease) {}
