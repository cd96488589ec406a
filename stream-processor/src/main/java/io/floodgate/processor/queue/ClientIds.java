package io.floodgate.processor.queue;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import org.jspecify.annotations.Nullable;

/** Ids that producers have chosen for their jobs: each of them is some partition's, where it exists once. */
public interface ClientIds {
    /**
     * Claims the id of a job that is to come in.
     *
     * @return whether the job may come in here, as far as its id goes; if not, the command was rejected or passed on
     */
    boolean claim(Envelope envelope, JobId id, Enqueue command);

    /** Returns why the id cannot be used, as far as this partition can know; null when it is free. */
    @Nullable
    Rejection rejectTaken(JobId id);
}
