package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Quarantine.Subject;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.limit.LimitRules;
import io.floodgate.processor.queue.admin.Audit;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.queue.bound.ReservedJobs;
import io.floodgate.processor.queue.job.JobView;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.TenantResource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The queues and jobs of one log: the way in for everything else that lives in it. */
public final class QueueRules implements Entity {
    private final QueueModule parts;
    private final PartitionContext context;
    private final Effects out;
    private final LastRead lastRead = new LastRead();

    public QueueRules(QueueState state, LimitRules limits, Housekeeping housekeeping, PartitionContext context) {
        this.context = context;
        out = context.out();
        parts = new QueueModule(state, limits, housekeeping, context);
    }

    @Override
    public void register(Handlers handlers) {
        new QueueHandlers(parts, handlers, context).register();
    }

    // ---- for others that bring jobs in, or look for them

    /** Returns the bounds, which decide whether a job comes in. */
    public Bounds bounds() {
        return parts.bounds;
    }

    public LastRead lastRead() {
        return lastRead;
    }

    /** The jobs that are counted, but not seen: their batches are not settled. */
    public ReservedJobs reserved() {
        return parts.reserved;
    }

    /** Jobs that have keys, as others look at them. */
    public KeyHolders holders() {
        return parts.holders;
    }

    /** Jobs that the system has made. */
    public OwnedJobs owned() {
        return parts.owned;
    }

    /** Takes the job in; the tail of what is shown of it. */
    public byte[] admit(Envelope envelope, JobId id, boolean registered) {
        return JobView.tail(parts.admission.admit(envelope, id, registered));
    }

    /** Returns whether this log has the job, were it only reserved. */
    public boolean knows(JobId id) {
        return parts.jobs.knows(id);
    }

    /** Returns whether there is such a job here that the sender of the command at hand may not see. */
    public boolean hides(JobId id) {
        JobRecord job = parts.jobs.find(id);
        return job != null && parts.confines.hide(job);
    }

    /** Carries out a command on a job of this log; false when there is no such job here. */
    public boolean apply(JobCommand command) {
        out.about(Quarantine.JOB, command.job());
        JobRecord job = parts.jobs.find(command.job());
        if (job == null) return false;
        if (parts.confines.hide(job)) {
            out.reject(Rejection.notFound("job", command.job().toString()));
            return true;
        }
        parts.jobTimers.catchUp(job);
        boolean runsAgain = command instanceof RetryJob
                || (command instanceof RetryDead dead && dead.changes().isNone());
        if (!runsAgain || !parts.bounds.parkToRunAgain(job, command)) parts.jobRules.apply(command, job);
        return true;
    }

    /** @param directory the queues of jobs that are not here */
    public void extend(Extend extend, Function<JobId, @Nullable String> directory) {
        parts.leases.extend(extend, directory);
    }

    public void withdraw(Withdraw command) {
        String requester = command.requester();
        if (command.correlations().isEmpty()) parts.producers.withdrawAll(requester);
        else command.correlations().forEach(correlation -> parts.producers.withdraw(requester, correlation));
        parts.departures.withdraw(command);
    }

    /** Permits for jobs of this log, from another one. */
    public void take(GivePermits message) {
        parts.accounts.accept(message);
    }

    /** Messages between this log and that one were lost. */
    public void verify(PartitionId other) {
        parts.transfers.verify(other);
        parts.defaults.verify(other);
        parts.tenantGrants.verify(other);
    }

    /** The same, for what they have of permits. */
    public void verifyPermits(PartitionId other) {
        parts.limitedJobs.verify(other);
    }

    // ---- for operators

    /** Returns the record of the queue on {@code ojs.queue-status}; nothing for a queue that is not in use. */
    public Optional<byte[]> status(String name, Instant now) {
        Queue queue = parts.queues.find(name);
        return queue == null ? Optional.empty() : Optional.of(parts.queueReplies.status(queue, now));
    }

    public List<String> names() {
        return parts.queues.all().stream()
                .filter(queue -> !queue.isGone())
                .map(queue -> queue.name)
                .toList();
    }

    public List<String> unbounded() {
        return parts.queues.all().stream()
                .filter(queue -> !queue.isGone() && !queue.config().isBounded())
                .map(queue -> queue.name)
                .toList();
    }

    /** Returns the number of stored jobs, finished ones too. */
    public long jobs() {
        return parts.queues.all().stream()
                .mapToLong(queue -> queue.counts.all())
                .sum();
    }

    public long tenantsFull(TenantResource resource) {
        return parts.tenantAccounts.countFull(resource);
    }

    public int waiters() {
        return parts.waiters.size() + parts.producers.size();
    }

    /** Returns the memory of all queues, with timers of all kinds. */
    public long memoryBytes() {
        return parts.capacity.bytes();
    }

    /** Writes whether the partition is being maintained, and until when. */
    public void writeMaintenance(JsonOut json) {
        parts.maintenance.write(json);
    }

    /** Recounts everything from the stores and names what disagrees: for tests. */
    public List<String> audit() {
        return Audit.of(
                parts.queues,
                parts.jobs,
                parts.accountTable,
                parts.tenantAccounts,
                parts.tenants,
                parts.expecting,
                parts.kept);
    }

    // ---- what the log does with all that live in it

    @Override
    public void load() {
        parts.parts.forEach(Entity::load);
    }

    @Override
    public boolean fire(Timer timer) {
        for (Entity part : parts.parts) if (part.fire(timer)) return true;
        return false;
    }

    /**
     * Serves who waits from what became ready in this step. It ends: each round hands out jobs or permits, or takes something
     * out of the sets that name what is still to be looked at.
     */
    @Override
    public void serve() {
        // The next job of an owner comes in before others that wait for capacity.
        if (parts.ties.owners().send()) return;
        parts.accounts.receive();
        parts.lives.follow();
        parts.retention.pushOut();
        parts.running.serve();
        parts.serving.serve(parts.queues.takeToServe());
        parts.waiting.settle();
        parts.accounts.settle();
        // What one job has given back another one may start on.
        while (parts.queues.hasToServe()) {
            parts.serving.serve(parts.queues.takeToServe());
            parts.accounts.settle();
        }
        parts.bounds.letIn();
        parts.ties.send();
        if (out.hasLocal()) return;
        parts.tenantGrants.settle(parts::waiting);
        if (out.hasLocal()) return;
        parts.pressure.tell(List.copyOf(parts.queues.changed()));
        parts.lives.finish();
        parts.ties.send();
    }

    @Override
    public void save() {
        parts.parts.reversed().forEach(Entity::save);
    }

    @Override
    public void rollBack() {
        parts.parts.reversed().forEach(Entity::rollBack);
    }

    @Override
    public void settingsChanged() {
        parts.parts.forEach(Entity::settingsChanged);
    }

    @Override
    public boolean clear(int most) {
        for (Entity part : parts.parts.reversed()) if (!part.clear(most)) return false;
        return true;
    }

    @Override
    public boolean quarantine(Subject subject) {
        for (Entity part : parts.parts) if (part.quarantine(subject)) return true;
        return false;
    }

    @Override
    public void takeBack(Subject subject) {
        parts.parts.forEach(part -> part.takeBack(subject));
    }

    @Override
    public void discard(Subject subject) {
        parts.parts.forEach(part -> part.discard(subject));
    }

    /** The queues that were changed since this was last asked. */
    public List<String> takeChanged() {
        return parts.queues.takePublished();
    }
}
