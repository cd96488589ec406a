package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.queue.bound.Capacity;
import io.floodgate.processor.queue.job.LeaseRegistrations;
import io.floodgate.processor.queue.permit.PermitAccounts;
import io.floodgate.processor.queue.wait.Waiter;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.ReplyTo;
import java.util.List;

/** Fetches and watches that wait for jobs here, from when they begin until they are served, sent away, or withdrawn. */
public final class Waiting implements Entity {
    private final Waiters waiters;
    private final Serving serving;
    private final UnusedQueues unused;
    private final LeaseRegistrations registrations;
    private final Capacity capacity;
    private final PermitAccounts accounts;
    private final Effects out;
    /** A worker that waited for jobs, or would have, does so no more. */
    private boolean workerLeft;

    public Waiting(
            Waiters waiters,
            Serving serving,
            UnusedQueues unused,
            LeaseRegistrations registrations,
            Capacity capacity,
            PermitAccounts accounts,
            Effects out) {
        this.waiters = waiters;
        this.serving = serving;
        this.unused = unused;
        this.registrations = registrations;
        this.capacity = capacity;
        this.accounts = accounts;
        this.out = out;
    }

    /** A worker that would have waited for jobs does not. */
    void ended() {
        workerLeft = true;
    }

    /** Gives up, as a step ends, permits that no worker waits for any more. */
    public void settle() {
        if (workerLeft) accounts.lessen();
        workerLeft = false;
    }

    @Override
    public void rollBack() {
        workerLeft = false;
    }

    /** Lets a waiter begin. Returns false when there is no memory for another one. */
    boolean begin(long number, boolean watch, Fetch fetch, ReplyTo replyTo) {
        Identity by = out.by();
        Waiter waiter = new Waiter(
                number, watch, fetch, replyTo, out.now().plus(fetch.maxWait()), by == null ? null : by.name());
        if (capacity.isSpent() || !waiters.hasRoomFor(waiter)) return false;
        waiters.add(waiter);
        serving.lookAtHeld(waiter.queues());
        // A worker that waits here has to be noticed when it is lost, not served.
        // mutant: waiting-worker-registered
        if (fetch.worker() != null) registrations.register(fetch.worker());
        out.setReplyTo(null);
        return true;
    }

    /** Sends an empty answer to up to {@code most} waiters. Returns true once none waits. */
    public boolean sendAway(int most) {
        waiters.first(most).forEach(this::sendAway);
        return waiters.size() == 0;
    }

    /** Whatever a worker waits for, it is not there to take it. */
    public void sendAway(String worker) {
        waiters.ofWorker(worker).forEach(this::sendAway);
    }

    public void sendAway(Waiter waiter) {
        workerLeft = true;
        waiters.sendAway(waiter);
        unused.notice(waiter.queues());
    }

    /** The requester does not wait for this any more, and is not answered. */
    void withdraw(String requester, long correlation) {
        Waiter waiter = waiters.find(requester, correlation);
        if (waiter != null) withdraw(List.of(waiter));
    }

    /** The requester is gone. */
    void withdrawAll(String requester) {
        withdraw(waiters.of(requester));
    }

    private void withdraw(List<Waiter> withdrawn) {
        workerLeft |= !withdrawn.isEmpty();
        for (Waiter waiter : withdrawn) {
            waiters.remove(waiter);
            unused.notice(waiter.queues());
        }
    }
}
