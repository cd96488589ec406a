package io.floodgate.worker;

import org.jspecify.annotations.Nullable;

/** Handles the jobs of one type. */
@FunctionalInterface
public interface JobHandler {
    /**
     * Runs on a virtual thread, which is interrupted when the job's time is up, its lease is lost or the worker closes.
     *
     * @return the job's result, as a Jackson tree or anything that Jackson can write; null for none
     * @throws JobFailure to say how the job failed; any other exception is a failure that the job's retry policy judges
     */
    @Nullable
    Object handle(JobContext context) throws Exception;
}
