package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.topics.JobId;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** What is kept in memory of jobs: the order of those that are ready, who holds which, and when each wakes by itself. */
final class JobOrders {
    final LeaseIndex leases = new LeaseIndex();
    private final Timers timers;
    private final Undo undo;
    private int ready;
    /** Jobs that rules have failed on: they stand in no order until an operator has decided about them. */
    private final Set<JobId> leftOut = new TreeSet<>();

    JobOrders(Timers timers, Undo undo) {
        this.timers = timers;
        this.undo = undo;
    }

    void clear() {
        leases.clear();
        leftOut.clear();
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
        if (leftOut.contains(job.id())) return;
        if (job.queue() != null) {
            job.queue().ready.add(job.priority(), job.rank(), job.id());
            ready++;
        }
        leases.add(job.worker(), job.since(), job.handout(), job.id());
        if (job.wakesAt() != null) timers.set(Timer.job(job.wakesAt(), job.id()));
    }

    private void take(Standing job) {
        if (leftOut.contains(job.id())) return;
        if (job.queue() != null) {
            job.queue().ready.remove(job.priority(), job.rank(), job.id());
            ready--;
        }
        leases.remove(job.worker(), job.since(), job.handout(), job.id());
        if (job.wakesAt() != null) timers.cancel(Timer.job(job.wakesAt(), job.id()));
    }

    /** Looks for the job in every order, since it may be impossible to say where it stands, and takes it out of all. */
    void leaveOut(JobId id, Collection<Queue> queues) {
        if (leftOut.contains(id)) return;
        for (Queue queue : queues) {
            ReadyOrder.Place place = queue.ready.find(id);
            if (place == null) continue;
            queue.ready.remove(place.priority(), place.rank(), id);
            ready--;
            undo.by(() -> {
                queue.ready.add(place.priority(), place.rank(), id);
                ready++;
            });
        }
        timers.cancelAbout(Timer.job(Instant.EPOCH, id).subject());
        undo.by(leases.removeAll(id));
        leftOut.add(id);
        undo.by(() -> leftOut.remove(id));
    }

    void takeBack(JobId id) {
        if (leftOut.remove(id)) undo.by(() -> leftOut.add(id));
    }

    boolean leavesOut(JobId id) {
        return leftOut.contains(id);
    }

    int ready() {
        return ready;
    }
}
