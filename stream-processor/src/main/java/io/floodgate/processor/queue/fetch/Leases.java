package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.OutOfReach;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.WorkerName;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.KeyScope;
import io.floodgate.processor.queue.state.JobChange.LeaseExtended;
import io.floodgate.processor.queue.state.JobChange.LeaseGraceGranted;
import io.floodgate.processor.queue.state.JobChange.Missed;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Lease;
import io.floodgate.processor.queue.transfer.Attempts;
import io.floodgate.processor.queue.transfer.JobTimers;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Message.WorkerLost.Why;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Prolongs leases on a heartbeat, and ends those that no worker knows of. */
public record Leases(Jobs jobs, JobTimers timers, Attempts attempts, KeyScope confines, Effects out) {
    /** Most leases that one step ends. */
    static final int SLICE = 100;

    /** A reply that has not reached its worker by now never will. */
    private static final Duration UNDERWAY = Duration.ofSeconds(30);

    private static final Duration BETWEEN_LISTS = Duration.ofSeconds(1);

    /** Time within which all partitions receive the same heartbeat. */
    private static final Duration HEARD_LATER = Duration.ofSeconds(1);

    /** @param directory the queue of a job that this partition only knows the way to; null for any other */
    public void extend(Extend extend, Function<JobId, @Nullable String> directory) {
        List<JobRecord> extended = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        List<String> cancelled = new ArrayList<>();
        JsonOut reply = JsonOut.object().beginArray("elsewhere");
        for (JobId id : extend.jobs()) {
            JobRecord job = visible(id);
            String queue = job == null ? directory.apply(id) : null;
            if (job != null && prolong(job, extend)) {
                extended.add(job);
            } else if (queue != null) {
                reply.beginObject()
                        .field("job_id", id.toString())
                        .field("queue", queue)
                        .endObject();
            } else {
                lost.add(id.toString());
                if (job != null && job.state == JobState.CANCELLED) cancelled.add(id.toString());
            }
        }
        reply.endArray()
                .field(
                        "extended",
                        extended.stream().map(job -> job.id.toString()).toList());
        reply.field("lost", lost)
                .field("cancelled", cancelled)
                .optional("directive", directive(extended))
                .field("server_time", out.now());
        out.reply(reply.endObject());
        if (extend.complete() && extend.worker() != null)
            takeBackWhatNeverArrived(WorkerName.of(extend.worker(), out.by()), extend.jobs());
    }

    private @Nullable JobRecord visible(JobId id) {
        JobRecord job = jobs.find(id);
        return job == null || confines.hide(job) ? null : job;
    }

    private boolean prolong(JobRecord job, Extend extend) {
        timers.catchUp(job);
        Lease lease = job.lease;
        if (job.state != JobState.ACTIVE || lease == null) return false;
        if (extend.worker() != null
                && lease.worker() != null
                && !extend.worker().equals(lease.worker())) return false;
        Duration length = extend.visibility() == null ? lease.length() : extend.visibility();
        jobs.apply(new LeaseExtended(out.now().plus(length)), job);
        return true;
    }

    private static @Nullable String directive(List<JobRecord> jobs) {
        String wanted = null;
        for (JobRecord job : jobs) {
            if ("terminate".equals(job.testDirective)) return job.testDirective;
            if (job.testDirective != null) wanted = job.testDirective;
        }
        return wanted;
    }

    /** Two lists in a row without a job that the worker must have had for long: the job has not reached it. */
    private void takeBackWhatNeverArrived(String worker, List<JobId> named) {
        Set<JobId> known = new LinkedHashSet<>(named);
        Instant longAgo = out.now().minus(UNDERWAY);
        int looked = 0;
        for (JobId id : jobs.leases().notHeardOf(worker, longAgo.toEpochMilli())) {
            if (known.contains(id) || looked++ >= SLICE) continue;
            JobRecord job = visible(id);
            if (job == null || job.lease == null) continue;
            out.about(Quarantine.JOB, id);
            timers.catchUp(job);
            if (job.state != JobState.ACTIVE || job.lease == null) continue;
            Instant missed = job.lease.missedAt();
            // mutant: missing-in-two-lists
            if (missed == null) jobs.apply(new Missed(), job);
            else if (!missed.plus(BETWEEN_LISTS).isAfter(out.now())) attempts.giveBack(job, "not_received");
        }
    }

    /**
     * Ends leases of a worker that is gone.
     *
     * @param until only those that began by then: it may have come back since
     * @param kept how many of its leases do not end yet
     * @return how many now; -1 if none is left to look at
     */
    public int loseSome(String worker, Instant until, Why why, int kept) {
        List<JobId> some = jobs.leases().of(worker, until.toEpochMilli(), kept, SLICE);
        int keptNow = kept;
        ErrorReport error = ErrorReport.of(
                "worker_death",
                why == Why.LEFT
                        ? "Worker '%s' left without a report.".formatted(WorkerName.id(worker))
                        : "Worker '%s' stopped sending heartbeats.".formatted(WorkerName.id(worker)));
        for (JobId id : some) {
            out.about(Quarantine.JOB, id);
            JobRecord job = jobs.find(id);
            if (job == null) continue;
            timers.catchUp(job);
            if (job.state != JobState.ACTIVE) continue;
            // mutant: heard-of-lost-worker
            if (why == Why.SILENT && isKept(job)) {
                keptNow++;
                continue;
            }
            // It may have begun to run, and must not do so twice.
            // mutant: worker-left
            if (why == Why.LEFT && !job.discardOnWorkerLost) attempts.giveBack(job, "worker_left");
            else attempts.loseLease(job, error);
        }
        out.aboutNothing();
        return some.size() == SLICE ? keptNow : -1;
    }

    /**
     * The partition that has counted the heartbeats may have been out of reach, or has received the last one before this one did.
     * Here the worker is silent 30 s after the last sign of life that has prolonged the lease.
     */
    private boolean isKept(JobRecord job) {
        Lease lease = job.lease;
        if (lease == null) return false;
        Instant heard = lease.until().minus(lease.length());
        Instant silentFrom = (heard.isAfter(out.now()) ? out.now() : heard).plus(OutOfReach.HEARTBEAT_TIMEOUT);
        if (!silentFrom.minus(HEARD_LATER).isAfter(out.now())) return false;
        if (silentFrom.isBefore(lease.until())) jobs.apply(new LeaseGraceGranted(silentFrom), job);
        return true;
    }

    /** Takes jobs back that were handed out in replies that no worker has received. */
    void takeBack(List<JobId> handedOut) {
        for (JobId id : handedOut) {
            out.about(Quarantine.JOB, id);
            JobRecord job = jobs.find(id);
            if (job == null) continue;
            timers.catchUp(job);
            if (job.state == JobState.ACTIVE) attempts.giveBack(job, "withdrawn");
        }
    }
}
