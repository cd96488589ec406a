package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;

/** What is kept in memory of jobs: the order of those that are ready, who holds which, and when each wakes by itself. */
final class JobOrders {
    final LeaseIndex leases = new LeaseIndex();
    private final Timers timers;
    private final Undo undo;
    private int ready;

    JobOrders(Timers timers, Undo undo) {
        this.timers = timers;
        this.undo = undo;
    }

    void clear() {
        leases.clear();
        ready = 0;
    }

    void enter(Standing job) {
        put(job);
        undo.by(() -> take(job));
    }

    void leave(Standing job) {
        take(job);
        undo.by(() -> put(job));
    }

    /** As a log is loaded. */
    void put(Standing job) {
        if (job.queue() != null && job.queue().addReady(job.priority(), job.rank(), job.id())) ready++;
        leases.add(job.worker(), job.since(), job.handout(), job.id());
        if (job.wakesAt() != null) timers.set(Timer.job(job.wakesAt(), job.id()));
    }

    private void take(Standing job) {
        if (job.queue() != null && job.queue().removeReady(job.priority(), job.rank(), job.id())) ready--;
        leases.remove(job.worker(), job.since(), job.handout(), job.id());
        if (job.wakesAt() != null) timers.cancel(Timer.job(job.wakesAt(), job.id()));
    }

    int ready() {
        return ready;
    }
}
