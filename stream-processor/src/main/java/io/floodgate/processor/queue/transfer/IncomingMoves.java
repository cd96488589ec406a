package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.bound.MoveChecks;
import io.floodgate.processor.queue.bound.ReservedJobs;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.Counts;
import io.floodgate.processor.queue.state.JobChange.Arrived;
import io.floodgate.processor.queue.state.JobCodec;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.OrderPlace;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.BatchKeys;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.MoveMessage;
import io.floodgate.topics.command.MoveMessage.CountJobs;
import io.floodgate.topics.command.MoveMessage.EndMove;
import io.floodgate.topics.command.MoveMessage.ExpectJobs;
import io.floodgate.topics.command.MoveMessage.Expected;
import io.floodgate.topics.command.MoveMessage.JobCounts;
import io.floodgate.topics.command.MoveMessage.MoveJobs;
import io.floodgate.topics.command.MoveMessage.MovedJob;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.TenantId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Queues that get the jobs of one that is deleted. Room for all of them is kept before the first one comes, so that none can
 * be turned away, and no bound is exceeded.
 */
public final class IncomingMoves implements Entity {
    private final KeyValues entities;
    private final Routing routing;
    private final Queues queues;
    private final Jobs jobs;
    private final MoveChecks checks;
    private final ReservedJobs reserved;
    private final TenantCounting tenants;
    private final Undo undo;
    private final Effects out;

    public IncomingMoves(
            Queues queues,
            Jobs jobs,
            MoveChecks checks,
            ReservedJobs reserved,
            TenantCounting tenants,
            PartitionContext context) {
        this.entities = context.entities();
        this.routing = context.routing();
        this.queues = queues;
        this.jobs = jobs;
        this.checks = checks;
        this.reserved = reserved;
        this.tenants = tenants;
        this.undo = context.undo();
        this.out = context.out();
    }

    /**
     * Room that is kept for a move.
     *
     * @param tenants of the jobs; empty unless they were counted
     */
    private record Kept(String queue, long jobs, long bytes, SortedMap<String, Long> tenants) {
        static final StoredForm<Kept> STORED =
                new StoredForm<>(Kept.class, 1, "capacity that is reserved for jobs of another queue");

        /** Returns the part of the reservation that these jobs can take. */
        Kept of(List<JobRecord> come) {
            SortedMap<String, Long> ofTenants = new TreeMap<>();
            for (JobRecord job : come)
                if (job.tenant != null && ofTenants.getOrDefault(job.tenant, 0L) < tenants.getOrDefault(job.tenant, 0L))
                    ofTenants.merge(job.tenant, 1L, Long::sum);
            long size = come.stream().mapToLong(job -> job.sizeBytes).sum();
            return new Kept(queue, Math.min(jobs, come.size()), Math.min(bytes, size), ofTenants);
        }

        Kept without(Kept other) {
            return new Kept(queue, jobs - other.jobs, bytes - other.bytes, sum(tenants, other.tenants, -1));
        }
    }

    @Override
    public void load() {
        visit((key, kept) -> {
            Queue queue = queues.find(kept.queue);
            if (queue != null) queue.tenantsToCome = sum(queue.tenantsToCome, kept.tenants, 1);
        });
    }

    private void visit(BiConsumer<byte[], Kept> visitor) {
        entities.scan(BatchKeys.allExpected(), Keys.after(BatchKeys.allExpected()), (key, value) -> {
            visitor.accept(key, Kept.STORED.read(value));
            return true;
        });
    }

    /**
     * Reserves capacity for all of them, or answers why there is none, or that the jobs have to be counted first. A
     * repeated question gets the same answer.
     */
    public void expect(ExpectJobs message) {
        byte[] key = BatchKeys.expected(message.source(), message.move());
        boolean isKept = entities.get(key) != null;
        Rejection rejection = isKept ? null : checks.reject(message);
        boolean isUndecided = !isKept && rejection == null && checks.needsCounts(message);
        if (!isKept && !isUndecided && rejection == null) {
            JobCounts counts = message.counts();
            SortedMap<String, Long> tenants = counts == null ? Collections.emptySortedMap() : counts.tenants();
            Kept kept = new Kept(message.queue(), message.jobs(), message.bytes(), tenants);
            entities.put(key, Kept.STORED.write(kept));
            // mutant: room-for-move
            count(kept, 1);
        }
        MoveMessage answer = isUndecided
                ? new CountJobs(message.move(), message.from())
                : new Expected(out.log(), message.move(), message.from(), rejection);
        out.tell(message.source(), message.from(), answer);
    }

    /** Takes jobs in at the end of the queue, in the order that they had. */
    public void arrive(MoveJobs message) {
        byte[] key = BatchKeys.expected(message.source(), message.move());
        byte[] stored = entities.get(key);
        // Nothing is kept any more after a reset.
        Kept kept = stored == null
                ? new Kept(message.queue(), 0, 0, Collections.emptySortedMap())
                : Kept.STORED.read(stored);
        Queue queue = queues.use(message.queue());
        List<JobRecord> come = new ArrayList<>();
        for (MovedJob moved : message.jobs()) {
            reserved.drop(moved.job());
            if (jobs.knows(moved.job())) continue;
            JobRecord job = JobCodec.read(moved.job(), moved.state());
            job.queue = queue.name;
            job.rank = queue.nextRank();
            job.hops++;
            job.registered = !routing.ofJob(job.id).equals(out.log());
            // It is not visible until it is announced, and then as what it was.
            job.reserved = true;
            job.order = OrderPlace.in(queue.name, moved.payload(), job.order);
            if (!kept.tenants.isEmpty()) job.tenant = TenantId.of(moved.payload());
            come.add(job);
        }
        // Their capacity is theirs from now on.
        Kept taken = kept.of(come);
        if (stored != null) entities.put(key, Kept.STORED.write(kept.without(taken)));
        count(taken, -1);
        int next = 0;
        for (MovedJob moved : message.jobs()) {
            if (next == come.size() || !come.get(next).id.equals(moved.job())) continue;
            JobRecord job = come.get(next++);
            if (!message.source().equals(out.log())) tenants.arrives(job, moved.payload(), moved.grant());
            enter(job, moved, message.from());
        }
        out.aboutNothing();
    }

    private void enter(JobRecord job, MovedJob moved, String from) {
        out.about(Quarantine.JOB, job.id);
        jobs.add(job, moved.payload(), moved.past());
        jobs.apply(new Arrived(from), job);
    }

    private void count(Kept kept, int times) {
        Queue queue = queues.find(kept.queue);
        if (queue == null) return;
        queue.counts.expect(times * kept.jobs, times * kept.bytes);
        queues.changed(queue);
        // mutant: tenants-to-come
        if (kept.tenants.isEmpty()) return;
        Map<String, Long> before = queue.tenantsToCome;
        queue.tenantsToCome = sum(before, kept.tenants, times);
        undo.by(() -> queue.tenantsToCome = before);
    }

    private static SortedMap<String, Long> sum(Map<String, Long> counts, SortedMap<String, Long> more, int times) {
        SortedMap<String, Long> sum = new TreeMap<>(counts);
        more.forEach((name, count) -> sum.merge(name, times * count, Long::sum));
        sum.values().removeIf(count -> count == 0);
        return sum;
    }

    /** Ends the move, since no more jobs come: some have finished where they were. */
    public void end(EndMove message) {
        end(BatchKeys.expected(message.source(), message.move()));
    }

    private void end(byte[] key) {
        byte[] stored = entities.get(key);
        if (stored == null) return;
        entities.delete(key);
        // mutant: room-after-move
        count(Kept.STORED.read(stored), -1);
    }

    /** Counts the capacity that is reserved in this queue; also by tenant. */
    public SortedMap<String, Long> expect(String queue, Counts into) {
        SortedMap<String, Long> tenants = new TreeMap<>();
        visit((key, kept) -> {
            if (!kept.queue.equals(queue)) return;
            into.expect(kept.jobs, kept.bytes);
            kept.tenants.forEach((tenant, count) -> tenants.merge(tenant, count, Long::sum));
        });
        return tenants;
    }

    /** Forgets up to so much of it; true once nothing is left. */
    @Override
    public boolean clear(int most) {
        List<byte[]> some = new ArrayList<>();
        entities.scan(BatchKeys.allExpected(), Keys.after(BatchKeys.allExpected()), (key, value) -> {
            some.add(key);
            return some.size() < most;
        });
        some.forEach(this::end);
        return some.size() < most;
    }
}
