package io.floodgate.processor.queue.admin;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Quarantine.Subject;
import io.floodgate.processor.queue.job.FinishedJobs;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.TenantRecount;
import io.floodgate.processor.queue.state.Counts;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.processor.queue.state.JobChange.GivenUp;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.StoreFailure;
import io.floodgate.topics.JobId;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Jobs that the engine fails on. They are quarantined until an operator puts them back or gives them up. */
public record BrokenJobs(Jobs jobs, Queues queues, FinishedJobs finished, TenantRecount tenants) implements Entity {
    @Override
    public boolean quarantine(Subject subject) {
        if (!subject.kind().equals(Quarantine.JOB)) return false;
        // mutant: job-set-aside
        JobId.parse(subject.name()).ifPresent(this::quarantine);
        return true;
    }

    @Override
    public void takeBack(Subject subject) {
        if (subject.kind().equals(Quarantine.JOB)) JobId.parse(subject.name()).ifPresent(this::takeBack);
    }

    @Override
    public void discard(Subject subject) {
        if (subject.kind().equals(Quarantine.JOB)) JobId.parse(subject.name()).ifPresent(this::discard);
    }

    private void quarantine(JobId id) {
        JobRecord job = readable(id);
        if (job == null) jobs.orders().quarantine(id, queues.all());
        else jobs.orders().quarantine(IndexEntry.of(job, queues.of(job)));
        jobs.keyTurns().settle();
        jobs.forgetRead(id);
    }

    private void takeBack(JobId id) {
        JobRecord job = jobs.findReserved(id);
        if (job == null) return;
        Queue queue = queues.of(job);
        jobs.orders().leave(IndexEntry.of(job, queue));
        jobs.orders().takeBack(id);
        jobs.orders().enter(IndexEntry.of(job, queue));
        if (job.isReady()) queues.toServe(queue);
        jobs.noteEnding(job, queue);
        if (!job.isLive()) finished.add(job);
    }

    private void discard(JobId id) {
        JobRecord job = readable(id);
        if (job != null) {
            jobs.apply(new GivenUp(), job);
        } else {
            jobs.erase(id);
            recount();
        }
        jobs.orders().takeBack(id);
    }

    /** The job, if it can be read at all. */
    private @Nullable JobRecord readable(JobId id) {
        try {
            JobRecord job = jobs.findReserved(id);
            return job == null || !queues.has(job.queue) ? null : job;
        } catch (StoreFailure infrastructure) {
            throw infrastructure;
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    /** Counts all jobs again, since it is unknown how a broken one was counted. */
    private void recount() {
        Map<String, Counts> recounted = new TreeMap<>();
        jobs.visitAll(job ->
                recounted.computeIfAbsent(job.queue, queue -> new Counts()).add(job));
        for (Queue queue : queues.all()) tenants.countAgain(queue);
        tenants.countAllAgain();
        for (Queue queue : queues.all()) {
            Counts counts = recounted.getOrDefault(queue.name, new Counts());
            counts.expectAs(queue.counts);
            if (counts.equals(queue.counts)) continue;
            queues.changed(queue);
            queue.counts = counts;
        }
    }
}
