package io.floodgate.processor.queue.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.state.Ending;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobChange.Admitted;
import io.floodgate.processor.queue.state.JobChange.Removed;
import io.floodgate.processor.queue.state.JobChange.Started;
import io.floodgate.processor.queue.state.JobCodec;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.sink.WantedOutcomes;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Message.Past;
import io.floodgate.topics.command.Message.Release;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a log, and the one door through which they change: a job is taken out of all counts, orders and timers,
 * changed and put back, and its event is sent, so that none of these can disagree with it.
 */
public final class Jobs implements Entity {
    /** Unfinished jobs that are looked at together. */
    public static final int SLICE = 500;

    /** The jobs of a slice are read whole. */
    private static final long SLICE_BYTES = 1024 * 1024;

    private final KeyValues stored;
    private final Payloads payloads;
    private final Routing routing;
    private final Queues queues;
    private final JobOrders orders;
    private final FinishedJobs finished;
    private final Quarantine quarantine;
    private final Transitions transitions;
    private final JobEvents events;
    private final RunRecords runs;
    private final TenantCounting tenants;
    private final LimitsOfJobs limits;
    private final Ties ties;
    private final KeyTurns keyTurns;
    private final Effects out;
    /** The jobs this step has looked at; what it changes is written at its end. */
    private final Map<JobId, JobRecord> loaded = new LinkedHashMap<>();

    private final Set<JobRecord> changed = new LinkedHashSet<>();
    /** Jobs that this step has put into queues whose jobs have to end. */
    private final Set<JobId> toEnd = new LinkedHashSet<>();

    public Jobs(
            Queues queues,
            FinishedJobs finished,
            JobOrders orders,
            Payloads payloads,
            TenantCounting tenants,
            LimitsOfJobs limits,
            Ties ties,
            WantedOutcomes wanted,
            PartitionContext context) {
        this.ties = ties;
        stored = context.stores().jobs();
        this.payloads = payloads;
        this.tenants = tenants;
        this.limits = limits;
        this.queues = queues;
        this.finished = finished;
        this.out = context.out();
        this.orders = orders;
        this.quarantine = context.quarantine();
        this.routing = context.routing();
        transitions = new Transitions(queues);
        events = new JobEvents(queues, wanted, this::parts, context.out());
        keyTurns = new KeyTurns(this, queues, orders, out);
        runs = new RunRecords(queues, payloads, out);
    }

    /** Rebuilds ready order, leases and timers. Finished jobs lie apart and are not looked at. */
    @Override
    public void load() {
        forgetStep();
        orders.clear();
        byte[] prefix = Keys.allLive();
        stored.scan(prefix, Keys.after(prefix), (key, value) -> {
            JobId id = Keys.jobAtEnd(key);
            JobRecord job = readable(id, value);
            // Its fault is found when a command needs it; until then it disturbs no command.
            // mutant: restored-jobs
            if (job != null && queues.find(job.queue) != null) put(job, queues.of(job));
            return true;
        });
        keyTurns.load();
        loaded.clear();
    }

    private void put(JobRecord job, Queue queue) {
        tenants.put(job, queue);
        orders.put(IndexEntry.of(job, queue));
    }

    /** The job, unless it is unknown or part of a batch that is not settled. */
    @Nullable
    public JobRecord find(JobId id) {
        JobRecord job = findReserved(id);
        return job == null || job.reserved ? null : job;
    }

    @Nullable
    public JobRecord findReserved(JobId id) {
        JobRecord known = loaded.get(id);
        if (known != null) return known;
        byte[] value = stored.get(Keys.live(id));
        if (value == null) value = stored.get(Keys.terminal(id));
        if (value == null) return null;
        JobRecord job = JobCodec.read(id, value);
        loaded.put(id, job);
        return job;
    }

    /** Returns whether the job is stored, if only reserved. The payload stays as long as the job. */
    public boolean knows(JobId id) {
        return loaded.containsKey(id) || payloads.has(id);
    }

    /** Takes a new job in. No event says so yet. */
    public void add(JobRecord job, byte[] payload) {
        payloads.add(job, payload);
        loaded.put(job.id, job);
        enter(job);
    }

    /** The same for one that comes from another queue, with what is known of its runs. */
    public void add(JobRecord job, byte[] payload, Past past) {
        payloads.setPast(job, past);
        add(job, payload);
    }

    /** The door. */
    public void apply(JobChange change, JobRecord job) {
        JobState before = job.state;
        boolean wasLive = job.isLive();
        String worker = job.lease == null ? null : job.lease.worker();
        boolean wasIn = wasLive && !job.reserved;
        byte[] error = runs.record(change, job);
        if (change instanceof Started && queues.of(job).fair() != null)
            orders.start(IndexEntry.of(job, queues.of(job)));
        leave(job);
        transitions.apply(change, job, out.now());
        ties.note(change, job, error);
        if (change instanceof Removed removed) {
            tenants.goes();
            remove(job, removed);
        } else {
            enter(job);
            if (wasLive && !job.isLive()) stored.delete(Keys.live(job.id));
            if (wasLive && !job.isLive()) finished.add(job);
            if (!wasLive && job.isLive()) stored.delete(Keys.terminal(job.id));
        }
        keyTurns.settle();
        boolean isIn = !(change instanceof Removed) && job.isLive() && !job.reserved;
        if (wasIn != isIn) noteFlow(change, job, isIn);
        events.emit(change, job, before, worker, error);
    }

    /** Counts how fast queues fill and drain, whatever brings jobs or takes them. */
    private void noteFlow(JobChange change, JobRecord job, boolean isIn) {
        Queue queue = queues.of(job);
        boolean hasWaited = change instanceof Admitted admitted && admitted.waitingSince() != null;
        if (!isIn) queue.throughput().leave(out.now());
        // A job that had to wait for capacity has counted since then.
        else if (!hasWaited) queue.isOffered(1, out.now());
    }

    private void leave(JobRecord job) {
        Queue queue = queues.of(job);
        // Another one may start where the queue limits how many run.
        if (job.state == JobState.ACTIVE && queue.limit() != null) queues.toServe(queue);
        queue.counts.remove(job);
        tenants.leave(job, queue);
        queues.changed(queue);
        orders.leave(IndexEntry.of(job, queue));
        if (!job.isLive()) finished.leave(job);
        Instant dead = job.deadSince();
        if (dead != null) stored.delete(Keys.dead(dead.toEpochMilli(), job.id));
    }

    private void enter(JobRecord job) {
        if (job.limitKey != null && job.isLive()) limits.know(job);
        Queue queue = queues.of(job);
        queue.counts.add(job);
        tenants.enter(job, queue);
        queues.changed(queue);
        orders.enter(IndexEntry.of(job, queue));
        if (job.isReady()) queues.toServe(queue);
        noteEnding(job, queue);
        Instant dead = job.deadSince();
        if (dead != null) stored.put(Keys.dead(dead.toEpochMilli(), job.id), job.queue.getBytes(UTF_8));
        changed.add(job);
    }

    /** Notes a job that the deletion of its queue may have to end. */
    public void noteEnding(JobRecord job, Queue queue) {
        Ending ending = queue.ending();
        // mutant: job-to-end
        if (ending != null && ending.endsJobs() && job.isLive() && !job.reserved) toEnd.add(job.id);
    }

    public List<JobId> takeToEnd() {
        List<JobId> taken = List.copyOf(toEnd);
        toEnd.clear();
        return taken;
    }

    private void remove(JobRecord job, Removed why) {
        changed.remove(job);
        loaded.remove(job.id);
        stored.delete(job.isLive() ? Keys.live(job.id) : Keys.terminal(job.id));
        payloads.remove(job);
        quarantine.remove(Quarantine.JOB, job.id.toString());
        // The ids of a rejected batch are for its coordinator to set free, a cleared directory knows none, and what
        // goes on
        // elsewhere keeps its own.
        // mutant: id-released
        if (job.registered && !why.isSilent())
            out.tell(routing.ofJob(job.id), job.id.toString(), new Release(job.id, null));
    }

    /** Deletes what is stored of a job that cannot be read. What is counted of it is for the caller to find out. */
    public void erase(JobId id) {
        loaded.remove(id);
        stored.delete(Keys.live(id));
        stored.delete(Keys.terminal(id));
        payloads.erase(id);
        quarantine.remove(Quarantine.JOB, id.toString());
    }

    public KeyTurns keyTurns() {
        return keyTurns;
    }

    public Ties ties() {
        return ties;
    }

    public Payloads payloads() {
        return payloads;
    }

    /** Notes when the job is to be removed, whatever was noted before. */
    public void noteEnd(JobRecord job) {
        finished.add(job);
    }

    public JobView.JobParts parts(JobRecord job) {
        return payloads.of(job, job.isLive() ? null : finished.keptUntil(job));
    }

    /** Returns since when the queue's longest waiting ready job has been there. */
    @Nullable
    public Instant oldest(Queue queue) {
        return oldest(queue.ready().heads());
    }

    @Nullable
    Instant oldest(List<JobId> heads) {
        Instant oldest = null;
        for (JobId id : heads) {
            out.about(Quarantine.JOB, id);
            byte[] value = stored.get(Keys.live(id));
            JobRecord job = value == null ? null : readable(id, value);
            if (job != null && (oldest == null || job.enqueuedAt.isBefore(oldest))) oldest = job.enqueuedAt;
        }
        out.aboutNothing();
        return oldest;
    }

    /** Unfinished jobs of the queue, or of all, from this one on in the order of their ids; where the next ones begin, if any are left. */
    @Nullable
    public JobId collectLive(@Nullable Queue queue, JobId from, List<JobId> into) {
        JobId[] next = {null};
        long[] read = {0, 0};
        stored.scan(Keys.live(from), Keys.after(Keys.allLive()), (key, value) -> {
            JobId id = Keys.jobAtEnd(key);
            if (read[0] >= SLICE || read[1] >= SLICE_BYTES) next[0] = id;
            if (next[0] != null) return false;
            read[0]++;
            JobRecord job = readable(id, value);
            if (job == null || (queue != null && !job.queue.equals(queue.name))) return true;
            read[1] += job.sizeBytes;
            into.add(id);
            return true;
        });
        addUnsaved(queue, from, next[0], into);
        return next[0];
    }

    /** Adds jobs that this step has brought, and that are not stored yet. */
    private void addUnsaved(@Nullable Queue queue, JobId from, @Nullable JobId to, List<JobId> into) {
        for (JobRecord job : changed) {
            boolean isOf = queue == null || job.queue.equals(queue.name);
            boolean isThere = job.isLive() && isOf && job.id.compareTo(from) >= 0;
            boolean isNew =
                    isThere && (to == null || job.id.compareTo(to) < 0) && stored.get(Keys.live(job.id)) == null;
            if (isNew) into.add(job.id);
        }
    }

    /** The job has been there for long, and is counted as its tenant's from now on. */
    void countTenant(JobId id, Queue queue) {
        JobRecord job = findReserved(id);
        if (job == null || !job.queue.equals(queue.name)) return;
        boolean sorts = queue.fair() != null && job.isReady();
        if (sorts) orders.leave(IndexEntry.uncounted(job, queue));
        tenants.enterLate(job, queue, sorts || orders.isAside(id));
        if (sorts) orders.enter(IndexEntry.of(job, queue));
        changed.add(job);
    }

    /** The same in the count of all queues. */
    void countForAll(JobId id) {
        JobRecord job = findReserved(id);
        if (job == null) return;
        tenants.enterAll(job);
        changed.add(job);
    }

    /** Visits every stored job that can be read, finished ones too. */
    public void visitAll(Consumer<JobRecord> visitor) {
        for (byte[] prefix : List.of(Keys.allLive(), Keys.allTerminal()))
            stored.scan(prefix, Keys.after(prefix), (key, value) -> {
                JobId id = Keys.jobAtEnd(key);
                JobRecord job = orders.isAside(id) ? readable(id, value) : JobCodec.read(id, value);
                if (job != null) visitor.accept(job);
                return true;
            });
    }

    public static @Nullable JobRecord readable(JobId id, byte[] value) {
        try {
            return JobCodec.read(id, value);
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    public JobOrders orders() {
        return orders;
    }

    public LeaseIndex leases() {
        return orders.leases;
    }

    /** Writes what the step changed. */
    @Override
    public void save() {
        for (JobRecord job : changed)
            stored.put(job.isLive() ? Keys.live(job.id) : Keys.terminal(job.id), JobCodec.write(job));
        forgetStep();
    }

    /** Forgets what was read of the job in this step. */
    public void forgetRead(JobId id) {
        loaded.remove(id);
    }

    @Override
    public void rollBack() {
        forgetStep();
    }

    private void forgetStep() {
        orders.keys.forgetChanges();
        changed.clear();
        loaded.clear();
        toEnd.clear();
    }
}
