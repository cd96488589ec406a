package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.List;
import java.util.Map;

/** The capacity that new jobs of one queue need. */
record RequiredCapacity(Queue queue, long jobs, long bytes, String type, TenantDemand tenants) {
    static RequiredCapacity of(Envelope job, Queue queue) {
        QueueConfig config = queue.config();
        // A job that waits may find another bound there when its turn comes.
        long bytes = config.sizeBound() == 0 && config.overflow() != Overflow.BLOCK ? 0 : job.storedBytes();
        return new RequiredCapacity(queue, 1, bytes, job.type(), TenantDemand.nothing(queue));
    }

    RequiredCapacity and(RequiredCapacity more) {
        // mutant: demand-sum
        return new RequiredCapacity(queue, jobs + more.jobs, bytes + more.bytes, type, tenants);
    }

    RequiredCapacity of(List<Envelope> batch, boolean isOverAll) {
        return new RequiredCapacity(queue, jobs, bytes, type, TenantDemand.of(queue, batch, isOverAll));
    }

    RequiredCapacity lacking(Map<String, Long> grants, Map<String, Long> all) {
        return new RequiredCapacity(queue, jobs, bytes, type, new TenantDemand(queue, tenants.jobs(), grants, all));
    }

    long overDepth() {
        long bound = queue.config().depthBound();
        // mutant: depth-bound
        return bound == 0 ? 0 : Math.max(0, queue.counts.depth() + jobs - bound);
    }

    long overSize() {
        long bound = queue.config().sizeBound();
        // mutant: size-bound
        return bound == 0 ? 0 : Math.max(0, queue.counts.bytes() + bytes - bound);
    }

    boolean fits() {
        return overDepth() == 0 && overSize() == 0 && tenants.fits();
    }

    /**
     * Returns the part of a victim that counts on until this demand has come.
     *
     * @param taken the job and those chosen before it
     * @param countsForTenant whether its tenant has had others chosen for each of its own jobs that are to come
     */
    JobRecord.Promise promise(long taken, long takenBytes, long size, boolean countsForTenant) {
        return new JobRecord.Promise(taken > jobs, Math.clamp(takenBytes - bytes, 0, size), countsForTenant);
    }

    /** Returns whether the demand does not even fit into an empty queue. */
    boolean canNeverFit() {
        QueueConfig config = queue.config();
        return (config.depthBound() > 0 && jobs > config.depthBound())
                || (config.sizeBound() > 0 && bytes > config.sizeBound())
                || tenants.neverFitting() != null;
    }
}
