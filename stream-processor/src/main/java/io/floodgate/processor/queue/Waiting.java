package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.WorkerName;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What becomes of those who ask for jobs: they get some, or wait for some, and may think better of it. */
final class Waiting {
    /** What takes a log as long as dozens of other commands. */
    private static final int LARGE_BYTES = 64 * 1024;

    /** How long somebody who does not wait waits until it is known which jobs can start, whatever other logs say. */
    private static final Duration UNTIL_PERMITS_COME = Duration.ofMillis(Desk.ANSWERED_WITHIN_MS + 50);

    private final Fetches fetches;
    private final Desks desks;
    private final StartLimits limits;
    private final Serving serving;
    private final Waiters waiters;
    private final UnusedQueues unused;
    private final LeaseRegistrations registrations;
    private final Capacity capacity;
    private final LastFetches lastFetches;
    private final Effects out;
    /** Somebody who waited for jobs, or would have, does so no more. */
    private boolean somebodyLeft;

    Waiting(
            Fetches fetches,
            Desks desks,
            StartLimits limits,
            Serving serving,
            Waiters waiters,
            UnusedQueues unused,
            LeaseRegistrations registrations,
            Capacity capacity,
            LastFetches lastFetches,
            Effects out) {
        this.fetches = fetches;
        this.desks = desks;
        this.limits = limits;
        this.serving = serving;
        this.waiters = waiters;
        this.unused = unused;
        this.registrations = registrations;
        this.capacity = capacity;
        this.lastFetches = lastFetches;
        this.out = out;
    }

    /** @param number the place of this fetch among all that wait, should it have to */
    void fetch(Fetch asked, long number) {
        Fetch fetch = byWorker(asked);
        if (out.replyTo() == null) {
            out.refuse(Refusal.of(
                    ErrorCode.INVALID_REQUEST, "A fetch needs somebody to answer: there is no address for a reply."));
            return;
        }
        lastFetches.note(fetch.queues());
        if (serving.isOwing(fetch.queues()) && wait(fetch, number)) return;
        JsonOut lines = fetches.claim(fetch, out.replyTo());
        if (lines.length() >= LARGE_BYTES) serving.rest(fetch.queues());
        if (lines.length() > 0 || wait(patient(fetch), number)) {
            if (lines.length() > 0) out.reply(lines);
            return;
        }
        // A worker that holds started jobs comes back at once: what it asked for is kept until it expires.
        somebodyLeft |= !fetch.atOnce();
        out.reply(lines);
    }

    /** From here on the worker is told apart from those of other keys. */
    private Fetch byWorker(Fetch fetch) {
        Identity by = out.by();
        String id = fetch.worker();
        return by == null || id == null ? fetch : fetch.by(WorkerName.of(id, by));
    }

    /** A fetch that does not wait does so until it is known whether there are permits, unless its caller holds started jobs. */
    private Fetch patient(Fetch fetch) {
        boolean waits = fetch.maxWait().isZero() && !fetch.atOnce() && limits.isAskingFor(fetch.queues());
        return waits ? fetch.waiting(UNTIL_PERMITS_COME) : fetch;
    }

    /** As a step ends: permits that nobody waits for any more are given up. */
    void settle() {
        if (somebodyLeft) desks.lessen();
        somebodyLeft = false;
    }

    void forgetStep() {
        somebodyLeft = false;
    }

    /** False if it does not want to, or cannot. */
    private boolean wait(Fetch fetch, long number) {
        ReplyTo replyTo = out.replyTo();
        return replyTo != null && !fetch.maxWait().isZero() && wait(number, false, fetch, replyTo);
    }

    void watch(Watch watch, long number) {
        lastFetches.note(watch.queues());
        Optional<String> ready = watch.queues().stream()
                .filter(name -> fetches.hasReadyFor(name, watch.types(), 1))
                .findFirst();
        ReplyTo replyTo = out.replyTo();
        Fetch fetch = new Fetch(watch.queues(), 1, null, null, watch.maxWait(), watch.types(), watch.atOnce());
        if (ready.isEmpty()) fetch = patient(fetch);
        if (ready.isPresent() || fetch.maxWait().isZero() || replyTo == null) {
            somebodyLeft |= ready.isEmpty() && !watch.atOnce();
            out.reply(ready(ready));
        } else if (!wait(number, true, fetch, replyTo))
            out.refuse(Refusal.of(
                    ErrorCode.BACKEND_UNAVAILABLE, "Too many wait for jobs of these queues already; try again later."));
    }

    /** A caller knows that these queues have something, and does not fetch it. */
    void decline(List<String> queues) {
        queues.forEach(serving::declined);
        somebodyLeft = true;
        out.reply(new JsonOut().beginObject().endObject());
    }

    /** Who looks into several logs at a time needs to know where the leftmost queue with a job is. */
    private JsonOut ready(Optional<String> queue) {
        return queue.map(Waiters::ready).orElseGet(Waiters::notReady);
    }

    /** False when there is no room for another one. */
    private boolean wait(long number, boolean watch, Fetch fetch, ReplyTo replyTo) {
        Identity by = out.by();
        Waiter waiter = new Waiter(
                number, watch, fetch, replyTo, out.now().plus(fetch.maxWait()), by == null ? null : by.name());
        if (capacity.isSpent() || !waiters.hasRoomFor(waiter)) return false;
        waiters.add(waiter);
        serving.lookAtHeld(waiter.queues());
        // Whoever waits here is to be taken for gone when it is, not served.
        // mutant: waiting-worker-registered
        if (fetch.worker() != null) registrations.register(fetch.worker());
        out.setReplyTo(null);
        return true;
    }

    /** Its time is up. */
    void giveUp(long number) {
        Waiter waiter = waiters.find(number);
        if (waiter == null) return;
        boolean waits = !waiter.watch() && limits.isAskingFor(waiter.fetch().queues());
        JsonOut lines = waits ? fetches.claimAtLast(waiter.fetch(), waiter.replyTo()) : new JsonOut();
        if (lines.length() == 0) {
            sendAway(waiter);
            return;
        }
        waiters.remove(waiter);
        waiters.answer(waiter, lines);
    }

    /** Up to so many are told that nothing has come; true once nobody waits. */
    boolean sendAway(int most) {
        waiters.first(most).forEach(this::sendAway);
        return waiters.size() == 0;
    }

    /** Whatever a worker waits for, it is not there to take it. */
    void sendAway(String worker) {
        waiters.ofWorker(worker).forEach(this::sendAway);
    }

    private void sendAway(Waiter waiter) {
        somebodyLeft = true;
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
        somebodyLeft |= !withdrawn.isEmpty();
        for (Waiter waiter : withdrawn) {
            waiters.remove(waiter);
            unused.notice(waiter.queues());
        }
    }
}
