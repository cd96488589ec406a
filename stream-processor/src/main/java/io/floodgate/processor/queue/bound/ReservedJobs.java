package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.job.JobView;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.JobChange.Admitted;
import io.floodgate.processor.queue.state.JobChange.Dropped;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.topics.JobId;
import io.floodgate.topics.job.Envelope;
import org.jspecify.annotations.Nullable;

/** Jobs of batches that are not settled: they are stored and counted, but not visible yet. */
public record ReservedJobs(Jobs jobs, Admission admission) {
    /** Takes the job in without showing it to anybody; the rank that it holds. */
    public long reserve(Envelope envelope, JobId id, boolean registered) {
        return admission.reserve(envelope, id, registered).rank;
    }

    public boolean has(JobId id) {
        return find(id) != null;
    }

    private @Nullable JobRecord find(JobId id) {
        JobRecord job = jobs.findReserved(id);
        return job != null && job.reserved ? job : null;
    }

    /** The job with this rank: by now, the id may be another one's. */
    private @Nullable JobRecord find(JobId id, long rank) {
        JobRecord job = find(id);
        return job != null && job.rank == rank ? job : null;
    }

    /** The tail that the job will be shown with. */
    public byte[] tail(JobId id) {
        JobRecord job = find(id);
        if (job == null) throw new IllegalStateException("job %s is not reserved".formatted(id));
        return JobView.tail(job);
    }

    /** Lets the job into its queue. */
    public void admit(JobId id, long rank) {
        JobRecord job = find(id, rank);
        if (job != null) jobs.apply(new Admitted(null), job);
    }

    public void drop(JobId id, long rank) {
        JobRecord job = find(id, rank);
        if (job != null) jobs.apply(new Dropped(), job);
    }

    /** The batch that reserved it will not get it. */
    public void drop(JobId id) {
        JobRecord job = find(id);
        if (job != null) jobs.apply(new Dropped(), job);
    }
}
