package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.WorkerName;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.WantedFilter;
import io.floodgate.processor.queue.wait.Waiter;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Executes fetches and watches: they get jobs, or wait for some, and may be withdrawn. */
public record FetchRules(
        Fetches fetches,
        StartLimits limits,
        Serving serving,
        Waiters waiters,
        Waiting waiting,
        LastFetches lastFetches,
        TenantSorting tenants,
        Effects out)
        implements Entity {
    /** Bytes of a reply that cost a partition as much as dozens of other commands. */
    private static final int LARGE_BYTES = 64 * 1024;

    /** Time for which a fetch without a wait waits for permits, whatever other partitions answer. */
    private static final Duration UNTIL_PERMITS_COME = Duration.ofMillis(PermitAccount.ANSWERED_WITHIN_MS + 50);

    /** @param number the position of this fetch among all that wait, should it have to */
    public void fetch(Fetch asked, long number) {
        Fetch fetch = byWorker(asked);
        if (out.replyTo() == null) {
            out.reject(Rejection.of(ErrorCode.INVALID_REQUEST, "A fetch needs an address for its reply."));
            return;
        }
        lastFetches.note(fetch.queues(), fetch.types(), fetch.worker());
        tenants.sortFor(fetch.queues(), fetch.types());
        if (serving.isOwing(fetch.queues()) && wait(fetch, number)) return;
        JsonOut lines = fetches.claim(fetch, out.replyTo());
        if (lines.length() >= LARGE_BYTES) serving.rest(fetch.queues());
        if (lines.length() > 0 || wait(patient(fetch), number)) {
            if (lines.length() > 0) out.reply(lines);
            return;
        }
        // A worker that holds started jobs comes back at once: what it asked for is kept until it expires.
        if (!fetch.atOnce()) waiting.ended();
        out.reply(lines);
    }

    /** Returns the fetch with a name of the worker that is distinct from those of other keys. */
    private Fetch byWorker(Fetch fetch) {
        Identity by = out.by();
        String id = fetch.worker();
        return by == null || id == null ? fetch : fetch.by(WorkerName.of(id, by));
    }

    /** A fetch that does not wait does so until it is known whether there are permits, unless its caller holds started jobs. */
    private Fetch patient(Fetch fetch) {
        boolean waits = fetch.maxWait().isZero() && !fetch.atOnce() && isAskingFor(fetch);
        return waits ? fetch.waiting(UNTIL_PERMITS_COME) : fetch;
    }

    private boolean isAskingFor(Fetch fetch) {
        return limits.isAskingFor(fetch.queues()) || limits.running().isAskingFor(fetch.queues(), fetch.types());
    }

    /** Lets the fetch wait. Returns false if it does not want to, or cannot. */
    private boolean wait(Fetch fetch, long number) {
        ReplyTo replyTo = out.replyTo();
        return replyTo != null && !fetch.maxWait().isZero() && waiting.begin(number, false, fetch, replyTo);
    }

    public void watch(Watch watch, long number) {
        lastFetches.note(watch.queues(), watch.types(), null);
        tenants.sortFor(watch.queues(), watch.types());
        WantedFilter types = new WantedFilter(watch.types());
        Optional<String> ready = watch.queues().stream()
                .filter(name -> fetches.hasReadyFor(name, types.again(), 1))
                .findFirst();
        ReplyTo replyTo = out.replyTo();
        Fetch fetch = new Fetch(watch.queues(), 1, null, null, watch.maxWait(), watch.types(), watch.atOnce());
        if (ready.isEmpty()) fetch = patient(fetch);
        if (ready.isPresent() || fetch.maxWait().isZero() || replyTo == null) {
            if (ready.isEmpty() && !watch.atOnce()) waiting.ended();
            out.reply(ready(ready));
        } else if (!waiting.begin(number, true, fetch, replyTo))
            out.reject(Rejection.of(
                    ErrorCode.BACKEND_UNAVAILABLE, "Too many wait for jobs of these queues already; try again later."));
    }

    /** A caller knows that these queues have something, and does not fetch it. */
    public void decline(List<String> queues) {
        queues.forEach(serving::declined);
        waiting.ended();
        out.reply(JsonOut.object().endObject());
    }

    /** Returns the leftmost queue with a job, for clients that ask several partitions at a time. */
    private JsonOut ready(Optional<String> queue) {
        return queue.map(Waiters::ready).orElseGet(Waiters::notReady);
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.PARKED) return false;
        out.about(Quarantine.WAITER, timer.high());
        Waiter waiter = waiters.find(timer.high());
        if (waiter != null) giveUp(waiter);
        return true;
    }

    /** Answers a waiter whose time is up. */
    private void giveUp(Waiter waiter) {
        boolean waits = !waiter.watch() && limits.isAskingFor(waiter.fetch().queues());
        JsonOut lines = waits ? fetches.claimAtLast(waiter.fetch(), waiter.replyTo()) : new JsonOut();
        if (lines.length() == 0) {
            waiting.sendAway(waiter);
            return;
        }
        waiters.remove(waiter);
        waiters.answer(waiter, lines);
    }
}
