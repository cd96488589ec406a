package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.job.JobState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What happens to a job because time has passed. */
final class JobTimers {
    private final Queues queues;
    private final Jobs jobs;
    private final Attempts attempts;
    private final JobEvents events;
    private final Effects out;

    JobTimers(Queues queues, Jobs jobs, Attempts attempts, JobEvents events, Effects out) {
        this.queues = queues;
        this.jobs = jobs;
        this.attempts = attempts;
        this.events = events;
        this.out = out;
    }

    /** Does what is due by now; nothing when nothing is. Every rule that looks at a job has this done first. */
    void catchUp(Job job) {
        while (isDue(job.wakesAt())) wake(job);
    }

    private boolean isDue(@Nullable Instant time) {
        return time != null && !time.isAfter(out.now());
    }

    private void wake(Job job) {
        if (job.state == JobState.ACTIVE) {
            endRun(job);
            return;
        }
        if (isDue(job.expiresAt)) {
            attempts.expire(job);
            return;
        }
        // Scheduled or waiting for its next attempt: it joins the end of the line.
        boolean first = job.state == JobState.SCHEDULED;
        jobs.change(job, j -> {
            j.state = JobState.AVAILABLE;
            j.place = queues.of(j).nextPlace();
            j.scheduledAt = null;
            j.nextAttemptAt = null;
        });
        if (first) events.emit("job.enqueued", job);
        else events.emit("job.available", job, data -> data.field("reason", "retry_due"));
    }

    private void endRun(Job job) {
        Lease lease = job.lease;
        if (isDue(job.mustEndAt())) {
            attempts.fail(job, timedOut(job));
        } else if (lease != null) {
            attempts.loseLease(
                    job,
                    ErrorReport.of(
                            "visibility_timeout",
                            "The lease of %s ended without a report of its worker.".formatted(lease.length())));
        }
    }

    private ErrorReport timedOut(Job job) {
        Duration limit = job.timeout == null ? Job.DEFAULT_TIMEOUT : job.timeout;
        Duration elapsed = job.startedAt == null ? limit : Duration.between(job.startedAt, out.now());
        byte[] details = new io.floodgate.topics.json.JsonOut()
                .beginObject()
                .field("timeout_kind", "execution")
                .field("limit_seconds", limit.toMillis() / 1000.0)
                .field("elapsed_seconds", elapsed.toMillis() / 1000.0)
                .endObject()
                .toBytes();
        return new ErrorReport("timeout", "timeout", "The run took longer than %s.".formatted(limit), null, details);
    }
}
