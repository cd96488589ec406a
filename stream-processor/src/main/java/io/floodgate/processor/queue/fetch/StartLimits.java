package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.limit.LimitEvents;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.permit.PermitAccounts;
import io.floodgate.processor.queue.state.IndexEntry;
import io.floodgate.processor.queue.state.JobChange.LimitDropped;
import io.floodgate.processor.queue.state.JobChange.PutOff;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.QueueLimit;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.SubQueue;
import io.floodgate.processor.queue.state.SubQueues;
import io.floodgate.processor.queue.state.WantedFilter;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.OnLimit;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits that every start passes: those of the queue, and those of the job's key. All of them hold together, and a job
 * that one of them holds back uses nothing of the others.
 */
public final class StartLimits implements Entity {
    /** New keys that one step may come upon at a queue before it leaves the rest to the next one. */
    private static final int MOST_ASKED = 200;

    /** Jobs that one step drops or puts off. */
    private static final int MOST_IMPATIENT = 100;

    /** Pause if the turn of a job cannot be predicted. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Jobs jobs;
    private final Queues queues;
    private final PermitAccounts accounts;
    private final RunningGrants running;
    private final Effects out;
    /** Queues with more to ask for, to drop or to put off than fits into the step. */
    private final Set<String> unfinished = new LinkedHashSet<>();

    /** Those of these queues for which it is not known yet whether the first job can start. */
    private final Set<String> unasked = new LinkedHashSet<>();

    public StartLimits(Jobs jobs, Queues queues, PermitAccounts accounts, RunningGrants running, Effects out) {
        this.running = running;
        this.jobs = jobs;
        this.queues = queues;
        this.accounts = accounts;
        this.out = out;
    }

    /** Returns the bounds of tenants on their running jobs. */
    RunningGrants running() {
        return running;
    }

    /** Returns how many jobs the queue's own limits let start. */
    int room(Queue queue) {
        return queue.room(out.now());
    }

    /** Returns the limit that holds the whole queue back; null if none does. */
    @Nullable
    Held held(Queue queue) {
        return queue.held(out.now());
    }

    /** Jobs are there that the queue's limits hold back. */
    void announce(Queue queue) {
        QueueLimit limit = queue.limit();
        Held held = held(queue);
        JobId first = queue.ready().first();
        if (limit == null || held == null || first == null) return;
        if (limit.limited().isNew()) queues.changed(queue);
        limit.limited().note(true, out.now().toEpochMilli());
        if (!limit.announces(held, out.now())) return;
        queues.changed(queue);
        LimitEvents.exceeded(RateLimit.keyOfQueue(queue.name), held, queue.name, first, out);
    }

    /**
     * Asks for permits for the keys of jobs that come before all that can start.
     *
     * @param wanted of these jobs
     * @param most that could be used
     * @return how many will come later
     */
    int ask(Queue queue, WantedFilter wanted, int most) {
        int later = 0;
        unasked.remove(queue.name);
        for (int asked = 0; later < most; asked++) {
            SubQueue subQueue = queue.ready().toAskFor(wanted);
            if (subQueue == null) break;
            if (asked == MOST_ASKED) {
                unfinished.add(queue.name);
                unasked.add(queue.name);
                break;
            }
            later += accounts.ask(subQueue, most - later);
        }
        return later;
    }

    /** Returns whether it will be known in a moment if a job can start that comes before all of which that is known. */
    boolean isAwaiting(Queue queue, WantedFilter wanted) {
        if (unasked.contains(queue.name)) return true;
        for (SubQueue subQueue = queue.ready().toWaitFor(wanted);
                subQueue != null;
                subQueue = queue.ready().toWaitFor(wanted)) if (accounts.isAnsweredSoon(subQueue.account)) return true;
        return false;
    }

    /** Returns whether it is not known yet which jobs of these queues can start. */
    boolean isAskingFor(List<String> names) {
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue != null && (unasked.contains(name) || queue.ready().isAsking())) return true;
        }
        return false;
    }

    /** Keeps permits for a fetch that gets other jobs, and will come again. */
    void leave(List<String> names) {
        for (String name : names) {
            Queue queue = queues.find(name);
            SubQueues subQueues = queue == null ? null : queue.ready().subQueues();
            if (subQueues != null)
                subQueues
                        .first(PermitAccount.PermitState.ASKED, MOST_ASKED)
                        .forEach(subQueue -> accounts.keep(subQueue.account));
        }
    }

    /** Returns whether the job, which comes first, may start: its permit may have become too old. */
    boolean isCurrent(JobRecord job) {
        return job.limitKey == null || accounts.hasPermit(accounts.of(job.limitKey));
    }

    /** Passes the job: the date of its permit, 0 if it needs none. */
    long pass(JobRecord job) {
        QueueLimit limit = queues.of(job).limit();
        job.heldBackByQueueMs = limit == null ? 0 : limit.limited().of(job, out.now());
        job.heldBackMs =
                job.limitKey == null ? 0 : accounts.of(job.limitKey).limited.of(job, out.now());
        return job.limitKey == null ? 0 : accounts.take(accounts.of(job.limitKey));
    }

    /** Counts a job that has started. */
    void passed(Queue queue, JobRecord job) {
        QueueLimit limit = queue.limit();
        if (limit != null) {
            // mutant: queue-start
            limit.start(queue.limits(), out.now());
            limit.limited().note(held(queue) != null, out.now().toEpochMilli());
            long waited = limit.release(out.now());
            if (waited >= 0)
                LimitEvents.released(RateLimit.keyOfQueue(queue.name), limit.heldBy(), queue.name, job.id, waited, out);
            queues.changed(queue);
        }
        if (job.limitKey != null) accounts.started(accounts.of(job.limitKey), job);
    }

    /**
     * Drops or puts off what is wanted, cannot start and is not to wait.
     *
     * @param next what comes before this job, which can start; null if none can
     */
    void turnAway(Queue queue, WantedFilter wanted, @Nullable JobRecord next) {
        if (queue.ready().subQueues() == null) return;
        SubQueue.Head before = next == null ? null : queue.ready().head(IndexEntry.of(next, queue));
        int left = MOST_IMPATIENT;
        for (SubQueue subQueue : queue.ready().impatient(MOST_IMPATIENT, wanted, before)) {
            Held held = subQueue.account.heldIn(queue.name);
            if (held == null) continue;
            List<JobId> some = first(queue, subQueue, wanted, before, left);
            int place = 0;
            for (JobId id : some) turnAway(id, subQueue, held, place++);
            left -= some.size();
            if (left > 0) continue;
            unfinished.add(queue.name);
            return;
        }
    }

    private static List<JobId> first(
            Queue queue, SubQueue subQueue, WantedFilter wanted, SubQueue.@Nullable Head before, int most) {
        List<JobId> some = new ArrayList<>();
        subQueue.jobs.visitFrom(Long.MIN_VALUE, (number, id) -> {
            boolean isLater =
                    before != null && queue.ready().head(subQueue, number, id).compareTo(before) > 0;
            if (!isLater && wanted.has(number)) some.add(id);
            return !isLater && some.size() < most;
        });
        return some;
    }

    private void turnAway(JobId id, SubQueue subQueue, Held held, int place) {
        out.about(Quarantine.JOB, id);
        JobRecord job = jobs.find(id);
        if (job == null || !job.isReady()) throw new IllegalStateException("job %s is not ready".formatted(id));
        if (subQueue.name.onLimit() == OnLimit.DROP)
            jobs.apply(new LimitDropped(error(subQueue.account.key, held)), job);
        else jobs.apply(new PutOff(turn(subQueue.account, held, place)), job);
        out.aboutNothing();
    }

    private static ErrorReport error(String key, Held held) {
        JsonOut details = JsonOut.object().field("key", key);
        held.write(details);
        return new ErrorReport(
                "rate_limited",
                "rate_limited",
                "The limit of '%s' was reached, and the job was not to wait.".formatted(key),
                false,
                details.endObject().toBytes());
    }

    /** Returns when the jobs before this one have had their turn. */
    private Instant turn(PermitAccount account, Held held, int place) {
        Instant first = held.until() == null ? out.now().plus(SOON) : held.until();
        Pace pace = account.allowance.throttle() == null ? account.allowance.rate() : account.allowance.throttle();
        if (pace == null) return first;
        return first.plusMillis(Math.ceilDiv(pace.period().toMillis() * place, pace.starts()));
    }

    @Override
    public void rollBack() {
        unfinished.clear();
        unasked.clear();
    }

    List<String> takeUnfinished() {
        List<String> taken = List.copyOf(unfinished);
        unfinished.clear();
        unasked.clear();
        return taken;
    }

    /** Returns the limit that holds the job back, as it is shown; null if none does. */
    public byte @Nullable [] limitedBy(JobRecord job) {
        if (!job.isReady()) return null;
        Queue queue = queues.of(job);
        Held held = held(queue);
        String key = RateLimit.keyOfQueue(queue.name);
        if (held == null && job.limitKey != null) {
            held = accounts.of(job.limitKey).heldIn(job.queue);
            key = job.limitKey;
        }
        if (held == null) return null;
        JsonOut json = JsonOut.object().field("key", key);
        held.write(json);
        return json.endObject().toBytes();
    }
}
