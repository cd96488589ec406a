package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.JobId;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.Envelope.Terms;
import io.floodgate.topics.job.JobState;
import io.floodgate.topics.job.RetryPolicy;
import java.time.Instant;

/** Takes jobs in: the initial transitions of OJS core §6.3. */
final class Admission {
    private final Queues queues;
    private final Jobs jobs;
    private final JobEvents events;
    private final Effects out;

    Admission(Queues queues, Jobs jobs, JobEvents events, Effects out) {
        this.queues = queues;
        this.jobs = jobs;
        this.events = events;
        this.out = out;
    }

    /** Stores the job; a held one is counted, but seen by nobody until it is let go. */
    Job admit(Envelope envelope, JobId id, boolean registered, boolean held) {
        byte[] payload = envelope.payload(id);
        Queue queue = queues.use(envelope.queue());
        Job job = new Job(id, envelope.type(), payload.length, out.now());
        job.queue = queue.name;
        job.priority = envelope.priority();
        job.registered = registered;
        job.held = held;
        job.place = queue.nextPlace();
        apply(envelope.terms(), job);
        jobs.add(job, payload);
        if (!held) announce(job);
        return job;
    }

    private void apply(Terms terms, Job job) {
        Instant now = out.now();
        job.retry = terms.retry().over(RetryPolicy.DEFAULT);
        job.timeout = terms.timeout();
        job.visibility = terms.visibility();
        job.discardOnWorkerLost = terms.discardOnWorkerLost();
        job.testDirective = terms.testDirective();
        if (terms.expiresAt() != null) {
            job.expiresAt = terms.expiresAt().resolve(now);
            job.showsExpiry = terms.expiresAt().isRelative();
        }
        if (terms.scheduledAt() != null) job.scheduledAt = terms.scheduledAt().resolve(now);
        if (terms.pending()) job.state = JobState.PENDING;
        else if (job.scheduledAt != null && job.scheduledAt.isAfter(now)) job.state = JobState.SCHEDULED;
        else job.state = JobState.AVAILABLE;
    }

    /** The batch is settled: from here on the job is like any other. */
    void letGo(Job job) {
        jobs.change(job, j -> j.held = false);
        announce(job);
    }

    private void announce(Job job) {
        switch (job.state) {
            case SCHEDULED -> events.emit("job.scheduled", job, data -> data.optional("scheduled_at", job.scheduledAt));
            case PENDING -> events.emit("job.pending", job);
            default -> events.emit("job.enqueued", job);
        }
    }
}
