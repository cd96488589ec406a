package io.floodgate.processor.queue;

import io.floodgate.processor.queue.JobChange.GivenUp;
import io.floodgate.processor.store.StoreFailure;
import io.floodgate.topics.JobId;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Jobs that rules fail on. They are taken out of everybody's way, and are put back, or given up, when somebody says so. */
final class BrokenJobs {
    private final Jobs jobs;
    private final Queues queues;
    private final FinishedJobs finished;
    private final TenantCounting tenants;

    BrokenJobs(Jobs jobs, Queues queues, FinishedJobs finished, TenantCounting tenants) {
        this.jobs = jobs;
        this.queues = queues;
        this.finished = finished;
        this.tenants = tenants;
    }

    void setAside(JobId id) {
        Job job = readable(id);
        if (job == null) jobs.orders().setAside(id, queues.all());
        else jobs.orders().setAside(Standing.of(job, queues.of(job)));
        jobs.forgetRead(id);
    }

    void takeBack(JobId id) {
        Job job = jobs.findReserved(id);
        if (job == null) return;
        jobs.orders().takeBack(id);
        Queue queue = queues.of(job);
        jobs.orders().enter(Standing.of(job, queue));
        if (job.isReady()) queues.toServe(queue);
        jobs.noteEnding(job, queue);
        if (!job.isLive()) finished.add(job);
    }

    void discard(JobId id) {
        Job job = readable(id);
        if (job != null) {
            jobs.apply(new GivenUp(), job);
        } else {
            jobs.erase(id);
            recount();
        }
        jobs.orders().takeBack(id);
    }

    /** The job, if it can be read at all. */
    private @Nullable Job readable(JobId id) {
        try {
            Job job = jobs.findReserved(id);
            return job == null || !queues.has(job.queue) ? null : job;
        } catch (StoreFailure infrastructure) {
            throw infrastructure;
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    /** Nobody knows how the job was counted, so all are counted anew. */
    private void recount() {
        Map<String, Counts> recounted = new TreeMap<>();
        jobs.visitAll(job ->
                recounted.computeIfAbsent(job.queue, queue -> new Counts()).add(job));
        for (Queue queue : queues.all()) tenants.countAnew(queue, jobs);
        for (Queue queue : queues.all()) {
            Counts counts = recounted.getOrDefault(queue.name, new Counts());
            counts.expectAs(queue.counts);
            if (counts.equals(queue.counts)) continue;
            queues.changed(queue);
            queue.counts = counts;
        }
    }
}
