package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.job.JobState;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Prolongs leases on a heartbeat, and ends those of a worker that was lost. */
final class Leases {
    private final Jobs jobs;
    private final JobTimers timers;
    private final Attempts attempts;
    private final JobEvents events;
    private final Effects out;

    Leases(Jobs jobs, JobTimers timers, Attempts attempts, JobEvents events, Effects out) {
        this.jobs = jobs;
        this.timers = timers;
        this.attempts = attempts;
        this.events = events;
        this.out = out;
    }

    /** @param directory the queue of a job that this log only knows the way to; null for any other */
    void extend(Extend extend, Function<JobId, @Nullable String> directory) {
        List<Job> extended = new ArrayList<>();
        JsonOut reply = new JsonOut().beginObject().name("elsewhere").beginArray();
        for (JobId id : extend.jobs()) {
            Job job = jobs.find(id);
            String queue = job == null ? directory.apply(id) : null;
            if (job != null && prolong(job, extend)) extended.add(job);
            else if (queue != null)
                reply.beginObject()
                        .field("job_id", id.toString())
                        .field("queue", queue)
                        .endObject();
        }
        reply.endArray()
                .field(
                        "extended",
                        extended.stream().map(job -> job.id.toString()).toList())
                .optional("directive", directive(extended))
                .field("server_time", out.now());
        out.reply(reply.endObject());
    }

    private boolean prolong(Job job, Extend extend) {
        timers.catchUp(job);
        Lease lease = job.lease;
        if (job.state != JobState.ACTIVE || lease == null) return false;
        if (extend.worker() != null
                && lease.worker() != null
                && !extend.worker().equals(lease.worker())) return false;
        Duration length = extend.visibility() == null ? lease.length() : extend.visibility();
        Instant until = out.now().plus(length);
        jobs.change(job, j -> j.lease = lease.extendedTo(until));
        events.emit(
                "job.heartbeat",
                job,
                data -> data.optional("worker_id", lease.worker()).field("visible_until", until));
        return true;
    }

    private static @Nullable String directive(List<Job> jobs) {
        String wanted = null;
        for (Job job : jobs) {
            if ("terminate".equals(job.testDirective)) return job.testDirective;
            if (job.testDirective != null) wanted = job.testDirective;
        }
        return wanted;
    }

    void loseAllOf(String worker, ErrorReport error) {
        for (JobId id : jobs.leasedTo(worker)) {
            Job job = jobs.find(id);
            if (job == null) continue;
            timers.catchUp(job);
            if (job.state == JobState.ACTIVE) attempts.loseLease(job, error);
        }
    }
}
