package io.floodgate.processor.batch;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Message.Replaced;
import java.time.Instant;
import java.util.List;

/**
 * The reservation of a participant for a batch until it is settled: jobs of its queues, and claims on ids.
 *
 * @param askAt when to ask the coordinator for the outcome
 * @param asked how often that was done
 * @param victims jobs that are dropped if it is stored
 * @param replaced jobs that others replace if it is stored
 */
record Reserved(
        List<ReservedJob> jobs,
        List<JobId> claims,
        Instant askAt,
        int asked,
        List<ReservedJob> victims,
        List<Replaced> replaced) {
    static final StoredForm<Reserved> STORED = new StoredForm<>(Reserved.class, 1, "what is reserved for a batch");

    /** A job, and its rank: by the time the batch is settled, the id may be another job's. */
    record ReservedJob(JobId id, long rank) {}

    Reserved askingAt(Instant time, int times) {
        return new Reserved(jobs, claims, time, times, victims, replaced);
    }
}
