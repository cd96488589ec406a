package io.floodgate.client;

import org.jspecify.annotations.Nullable;

/** Looks at each job before it is enqueued, and may change or drop it (OJS middleware §3). Used by many threads. */
@FunctionalInterface
public interface EnqueueMiddleware {
    /**
     * @param job whole, with its id and its queue
     * @return the job for the next one, as it is or changed, with the same id; null to drop it. What it throws is thrown to
     *     the caller, and nothing is enqueued
     */
    @Nullable
    Job enqueue(Job job);
}
