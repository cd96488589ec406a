package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.permit.PermitAccounts;
import io.floodgate.processor.queue.state.JobChange.Admitted;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.KeyTie;
import io.floodgate.processor.queue.state.OrderPlace;
import io.floodgate.processor.queue.state.OwnerTie;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.Envelope.Terms;
import io.floodgate.topics.job.OrderPath;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.TenantId;
import io.floodgate.topics.retry.RetryPolicy;
import io.floodgate.topics.unique.UniquePolicy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Takes jobs in: the initial transitions of OJS core §6.3. */
public final class Admission {
    private final Queues queues;
    private final Jobs jobs;
    private final Producers producers;
    private final PermitAccounts accounts;
    private final Routing routing;
    private final Effects out;

    public Admission(Queues queues, Jobs jobs, Producers producers, PermitAccounts accounts, PartitionContext context) {
        routing = context.routing();
        this.accounts = accounts;
        this.queues = queues;
        this.jobs = jobs;
        this.producers = producers;
        out = context.out();
    }

    /** Stores the job, for everybody to see. */
    public JobRecord admit(Envelope envelope, JobId id, boolean registered) {
        JobRecord job = reserve(envelope, id, registered);
        jobs.apply(new Admitted(producers.waitingSince()), job);
        return job;
    }

    /** The same for a job that the system has made, whose owner gets its outcome. */
    public void admit(Envelope envelope, JobId id, JobOwner owner) {
        JobRecord job = reserve(envelope, id, false);
        job.ownerTie = new OwnerTie(owner, 0, false);
        jobs.apply(new Admitted(producers.waitingSince()), job);
    }

    /** Stores the job; it is counted, but not visible until it is admitted. */
    JobRecord reserve(Envelope envelope, JobId id, boolean registered) {
        byte[] payload = envelope.payload(id);
        int size = envelope.storedBytes(payload);
        Queue queue = queues.use(envelope.queue());
        JobRecord job = new JobRecord(id, envelope.type(), size, out.now());
        job.version = envelope.version();
        job.queue = queue.name;
        job.priority = envelope.priority();
        job.registered = registered;
        job.reserved = true;
        job.rank = queue.nextRank();
        apply(envelope.terms(), queue.config().policy().jobs(), job);
        job.order = order(envelope, queue);
        jobs.add(job, payload);
        return job;
    }

    /**
     * Sets the defaults of the queue where the job says nothing itself (OJS queue configuration §7.3). From then on
     * they are the job's.
     */
    private void apply(Terms terms, JobDefaults defaults, JobRecord job) {
        Instant now = out.now();
        job.retry = terms.retry().over(defaults.retry().over(RetryPolicy.DEFAULT));
        // mutant: timeout-of-job
        job.timeout = terms.timeout() == null ? defaults.timeout() : terms.timeout();
        job.visibility = terms.visibility() == null ? defaults.visibility() : terms.visibility();
        Boolean discard =
                terms.discardOnWorkerLost() == null ? defaults.discardOnWorkerLost() : terms.discardOnWorkerLost();
        job.discardOnWorkerLost = Boolean.TRUE.equals(discard);
        job.testDirective = terms.testDirective();
        if (terms.expiresAt() != null) {
            job.expiresAt = terms.expiresAt().resolve(now);
            job.showsExpiry = terms.expiresAt().isRelative();
        }
        if (terms.scheduledAt() != null) job.scheduledAt = terms.scheduledAt().resolve(now);
        if (terms.pending()) job.state = JobState.PENDING;
        else if (job.scheduledAt != null && job.scheduledAt.isAfter(now)) job.state = JobState.SCHEDULED;
        else job.state = JobState.AVAILABLE;
        RateLimit limit = terms.rateLimit();
        if (limit != null) {
            Identity by = out.by();
            RateLimit owned = by == null ? limit : limit.in(by.limitSpace(limit.key(), job.queue));
            job.limitKey = owned.key();
            job.onLimit = owned.onLimit();
            accounts.use(owned);
        }
        UniquePolicy policy = terms.unique();
        UniquePolicy unique = policy == null ? null : policy.in(Identity.spaceOf(out.by()));
        if (terms.owner() != null) job.ownerTie = new OwnerTie(terms.owner(), 0, false);
        if (unique != null)
            job.tie = new KeyTie(
                    unique.home(routing, job.queue), unique.fingerprint(), unique.states(), unique.period(), 0, false);
    }

    /** The key that the job names, or that is where its queue says. */
    private static @Nullable OrderPlace order(Envelope envelope, Queue queue) {
        String path = queue.config().policy().order().path();
        String key = envelope.terms().orderKey();
        if (key == null && path != null)
            key = OrderPath.at(path, envelope.members()).orElse(null);
        return key == null ? null : OrderPlace.of(queue.name, TenantId.of(envelope.members()), key);
    }
}
