package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.processor.queue.state.IndexEntry.Ordered;
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
    final KeyLines keys = new KeyLines();
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
                + leases.names()
                + keys.memoryBytes();
    }

    void clear() {
        leases.clear();
        keys.clear();
        aside.clear();
        ready = 0;
    }

    public void enter(IndexEntry job) {
        boolean waits = put(job);
        undo.by(() -> take(job));
        if (!waits) turns.entered(job);
    }

    public void leave(IndexEntry job) {
        boolean waits = take(job);
        undo.by(() -> putBack(job, waits));
        if (!waits) turns.left(job);
    }

    /** Takes a job out that is handed out, which is its tenant's turn. */
    void start(IndexEntry job) {
        turns.start(job);
    }

    /** Puts a job in, also while a partition is loaded. Returns whether it waits for another one of its order key. */
    boolean put(IndexEntry job) {
        Ordered place = job.order();
        boolean waits = place != null && !keys.add(place, job.id());
        add(job, waits);
        return waits;
    }

    private void putBack(IndexEntry job, boolean waits) {
        Ordered place = job.order();
        if (place != null) keys.add(place, job.id());
        add(job, waits);
    }

    private void add(IndexEntry job, boolean waits) {
        // A job that was quarantined counts for its keys: it may be running.
        PermitAccount account = accounts.enter(job);
        if (aside.contains(job.id())) return;
        if (job.queue() != null) {
            if (job.queue().addReady(job, account, waits)) ready++;
            if (job.order() != null && !waits) keys.release(job.order(), job.id());
        }
        leases.add(job.worker(), job.since(), job.deliveryRef(), job.id());
        if (job.wakesAt() != null) timers.set(Timer.job(job.wakesAt(), job.id()));
    }

    private boolean take(IndexEntry job) {
        PermitAccount account = accounts.leave(job);
        Ordered place = job.order();
        boolean waits = place != null && !keys.isReleased(place, job.id());
        if (place != null && !waits) keys.release(place, null);
        if (place != null) keys.remove(place, job.id());
        if (job.queue() != null && job.queue().removeReady(job, account)) ready--;
        leases.remove(job.worker(), job.since(), job.deliveryRef(), job.id());
        if (job.wakesAt() != null) timers.cancel(Timer.job(job.wakesAt(), job.id()));
        return waits;
    }

    /** Lets fetches look at a job that no other one of its order key keeps back, or no longer. */
    void place(IndexEntry job, boolean waits) {
        sort(job, waits);
        undo.by(() -> sort(job, !waits));
        if (waits) turns.left(job);
        else turns.entered(job);
    }

    /** The same while a partition is loaded. */
    void sort(IndexEntry job, boolean waits) {
        Ordered place = job.order();
        Queue queue = job.queue();
        if (place == null || queue == null || aside.contains(job.id())) return;
        PermitAccount account = accounts.of(job);
        // mutant: key-released
        queue.removeReady(job, account);
        queue.addReady(job, account, waits);
        keys.release(place, waits ? null : job.id());
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
        IndexEntry known = leases.find(job);
        for (Queue queue : queues) {
            IndexEntry found = queue.findReady(job);
            if (found != null) known = found;
        }
        Ordered place = keys.find(job);
        if (place != null) known = (known == null ? IndexEntry.of(job) : known).in(place);
        if (known != null) leave(known);
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
