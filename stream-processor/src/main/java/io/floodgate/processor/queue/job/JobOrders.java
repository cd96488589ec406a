package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.processor.queue.state.Memory;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.PermitAccountStore;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.topics.JobId;
import java.time.Instant;
import java.util.TreeSet;

/** The indexes of jobs in memory: the order of those that are ready, who holds which, and when each wakes by itself. */
public final class JobOrders {
    final LeaseIndex leases = new LeaseIndex();
    private final Timers timers;
    private final Undo undo;
    private final PermitAccountStore accounts;
    private final TenantTurns turns;
    /** Jobs that rules have failed on: they are in no order, whatever becomes of them. */
    private final TreeSet<JobId> aside = new TreeSet<>();

    private int ready;

    public JobOrders(Timers timers, PermitAccountStore accounts, TenantTurns turns, Undo undo) {
        this.turns = turns;
        this.timers = timers;
        this.accounts = accounts;
        this.undo = undo;
    }

    /** Returns the memory of these indexes, with leases. */
    public long memoryBytes() {
        return ready() * Memory.READY_JOB
                + leases.leases() * Memory.LEASE
                + leases.deliveryRefs() * Memory.DELIVERY_REF
                + leases.holders() * Memory.HOLDER
                + leases.names();
    }

    void clear() {
        leases.clear();
        aside.clear();
        ready = 0;
    }

    public void enter(IndexEntry job) {
        put(job);
        undo.by(() -> take(job));
        turns.entered(job);
    }

    public void leave(IndexEntry job) {
        take(job);
        undo.by(() -> put(job));
        turns.left(job);
    }

    /** Takes a job out that is handed out, which is its tenant's turn. */
    void start(IndexEntry job) {
        turns.start(job);
    }

    /** Puts a job in while a partition is loaded. */
    void put(IndexEntry job) {
        // A job that was quarantined counts for its key: it may be running.
        PermitAccount account = accounts.enter(job);
        if (aside.contains(job.id())) return;
        if (job.queue() != null && job.queue().addReady(job, account)) ready++;
        leases.add(job.worker(), job.since(), job.deliveryRef(), job.id());
        if (job.wakesAt() != null) timers.set(Timer.job(job.wakesAt(), job.id()));
    }

    private void take(IndexEntry job) {
        PermitAccount account = accounts.leave(job);
        if (job.queue() != null && job.queue().removeReady(job, account)) ready--;
        leases.remove(job.worker(), job.since(), job.deliveryRef(), job.id());
        if (job.wakesAt() != null) timers.cancel(Timer.job(job.wakesAt(), job.id()));
    }

    public boolean isAside(JobId job) {
        return aside.contains(job);
    }

    /** Takes the job out of all orders for good. */
    public void quarantine(IndexEntry job) {
        leave(job);
        noteAside(job.id());
        enter(job);
    }

    /** The same, when nothing can be read of the job: a search through all of them. */
    public void quarantine(JobId job, Iterable<Queue> queues) {
        for (Queue queue : queues) {
            IndexEntry found = queue.findReady(job);
            if (found != null) leave(found);
        }
        IndexEntry leased = leases.find(job);
        if (leased != null) leave(leased);
        timers.cancelAbout(Timer.job(Instant.EPOCH, job).subject());
        noteAside(job);
    }

    private void noteAside(JobId job) {
        if (aside.add(job)) undo.by(() -> aside.remove(job));
    }

    /** Ends the quarantine of a job, so that it may be put back. */
    public void takeBack(JobId job) {
        if (aside.remove(job)) undo.by(() -> aside.add(job));
    }

    int ready() {
        return ready;
    }
}
