package io.floodgate.worker;

import org.jspecify.annotations.Nullable;

/** Handles the jobs of one type, and produces records that are committed if, and only if, the job is completed. */
@FunctionalInterface
public interface TransactionalHandler {
    /**
     * Runs as {@link JobHandler#handle}.
     *
     * @return the job's result, of 192 KiB of JSON at most
     */
    @Nullable
    Object handle(JobContext context, JobTransaction transaction) throws Exception;
}
