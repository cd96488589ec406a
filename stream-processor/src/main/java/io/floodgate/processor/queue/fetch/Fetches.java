package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.job.JobView;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.LeaseRegistrations;
import io.floodgate.processor.queue.state.DeliveryRef;
import io.floodgate.processor.queue.state.JobChange.Started;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Lease;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.WantedFilter;
import io.floodgate.processor.queue.transfer.JobTimers;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Hands jobs to workers: queues from left to right, in each by priority, then first in, first out (OJS core §7.2). */
public record Fetches(
        Queues queues,
        Jobs jobs,
        JobTimers timers,
        LeaseRegistrations registrations,
        StartLimits limits,
        Maintenance maintenance,
        LastFetches lastFetches,
        Effects out) {
    /** A reply stops growing here; what is left is fetched with the next request. */
    private static final int FULL_BYTES = 8 * 1024 * 1024;

    /**
     * Claims ready jobs for this requester, as lines of complete jobs: none while it is not known whether an earlier
     * one can start.
     */
    JsonOut claim(Fetch fetch, @Nullable ReplyTo replyTo) {
        return claim(fetch, replyTo, true);
    }

    /** Claims what is ready by now, as it cannot wait any longer. */
    JsonOut claimAtLast(Fetch fetch, ReplyTo replyTo) {
        return claim(fetch, replyTo, false);
    }

    private JsonOut claim(Fetch fetch, @Nullable ReplyTo replyTo, boolean waits) {
        JsonOut lines = new JsonOut(1024);
        DeliveryRef deliveryRef = replyTo == null ? null : new DeliveryRef(replyTo.requester(), replyTo.correlation());
        int most = Math.clamp(fetch.count(), 1, Fetch.MAX_COUNT);
        int claimed = 0;
        int later = 0;
        boolean isAwaiting = false;
        WantedFilter types = new WantedFilter(fetch.types());
        for (String name : fetch.queues()) {
            Queue queue = queues.find(name);
            // mutant: paused-queue
            if (queue == null || rests(queue)) continue;
            if (claimed < most && lines.length() < FULL_BYTES) lastFetches.reached(queue, fetch);
            WantedFilter wanted = types.again();
            while (claimed < most && lines.length() < FULL_BYTES) {
                limits.running().passOver(queue, wanted);
                if (waits) later += ask(queue, wanted, most - claimed - later);
                if (waits && limits.isAwaiting(queue, wanted)) {
                    isAwaiting = true;
                    break;
                }
                JobRecord job = next(queue, wanted);
                if (job == null) break;
                out.about(Quarantine.JOB, job.id);
                start(queue, job, fetch, deliveryRef);
                JobView.complete(job, jobs.parts(job), lines);
                out.aboutNothing();
                lines.newLine();
                claimed++;
            }
        }
        if (isAwaiting && claimed > 0) limits.leave(fetch.queues());
        return lines;
    }

    private int ask(Queue queue, WantedFilter wanted, int most) {
        int room = Math.min(most, limits.room(queue));
        return room <= 0 ? 0 : limits.ask(queue, wanted, room);
    }

    /** Returns whether the queue has something to hand out. */
    boolean hasReady(String name) {
        Queue queue = queues.find(name);
        if (queue == null || rests(queue) || limits.room(queue) <= 0) return false;
        WantedFilter all = new WantedFilter(WantedJobs.ALL);
        limits.running().passOver(queue, all);
        return firstOf(queue, all) != null;
    }

    /**
     * Returns what {@link #hasReady} does, for a worker that would take the job: asks for permits that it needs.
     *
     * @param wanted that it would take
     * @param most jobs, by all who wait
     */
    boolean hasReadyFor(String name, WantedFilter wanted, int most) {
        Queue queue = queues.find(name);
        if (queue == null || rests(queue)) return false;
        limits.running().passOver(queue, wanted);
        ask(queue, wanted, most);
        return !limits.isAwaiting(queue, wanted) && next(queue, wanted) != null;
    }

    private boolean rests(Queue queue) {
        return !queue.handsOut() || maintenance.isOn();
    }

    private @Nullable JobRecord next(Queue queue, WantedFilter wanted) {
        boolean hasRoom = limits.room(queue) > 0;
        if (!hasRoom) limits.announce(queue);
        JobRecord job = hasRoom ? firstOf(queue, wanted) : null;
        limits.turnAway(queue, wanted, job);
        return job;
    }

    private @Nullable JobRecord firstOf(Queue queue, WantedFilter wanted) {
        while (wanted.goesOn()) {
            JobId id = queue.ready().first(wanted);
            if (id == null) return null;
            out.about(Quarantine.JOB, id);
            JobRecord job = jobs.find(id);
            if (job == null) throw new IllegalStateException("ready job %s is not stored".formatted(id));
            if (!limits.isCurrent(job)) {
                out.aboutNothing();
                continue;
            }
            timers.catchUp(job);
            boolean stuck =
                    job.state != JobState.AVAILABLE && id.equals(queue.ready().first(wanted));
            if (stuck) throw new IllegalStateException("ready job %s is %s".formatted(id, job.state));
            out.aboutNothing();
            if (job.state != JobState.AVAILABLE || !wanted.has(job)) continue;
            if (!limits.running().passesOver(job, queue, wanted)) return job;
        }
        return null;
    }

    private void start(Queue queue, JobRecord job, Fetch fetch, @Nullable DeliveryRef deliveryRef) {
        Duration length = fetch.visibility();
        if (length == null) length = job.visibility == null ? JobRecord.DEFAULT_VISIBILITY : job.visibility;
        // mutant: lease-length
        Instant until = out.now().plus(length);
        Lease lease = new Lease(job.leases + 1, fetch.worker(), until, length, deliveryRef, null);
        jobs.apply(new Started(lease, limits.pass(job)), job);
        limits.passed(queue, job);
        if (lease.holder() != null) registrations.register(lease.holder());
    }
}
