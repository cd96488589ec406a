package io.floodgate.processor.queue.fetch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.limit.LimitEvents;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.permit.PermitAccounts;
import io.floodgate.processor.queue.permit.QueueLimits;
import io.floodgate.processor.queue.state.JobChange.BecameDue;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.PermitAccount;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.FreezeLimit;
import io.floodgate.topics.command.Message.LimitChanged;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.LimitSpace;
import io.floodgate.topics.limit.RateLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Commands and reports about limits, beside the starts. */
public final class LimitedJobs {
    private static final Duration LONGEST_FREEZE = Duration.ofDays(366);

    /** Longest freeze of a whole queue, or by a caller that may not use all queues, or acts for a tenant. */
    private static final Duration LONGEST_SHARED_FREEZE = Duration.ofHours(1);

    private static final String VERIFY = "verify-accounts";
    private static final String CALL_IN = "call-in";
    private static final int SLICE = 200;

    private final Jobs jobs;
    private final Queues queues;
    private final PermitAccounts accounts;
    private final Routing routing;
    private final Work work;
    private final Effects out;

    public LimitedJobs(Jobs jobs, Queues queues, PermitAccounts accounts, Routing routing, Work work, Effects out) {
        this.jobs = jobs;
        this.queues = queues;
        this.accounts = accounts;
        this.routing = routing;
        this.work = work;
        this.out = out;
        work.register(VERIFY, this::verifySlice);
        work.register(CALL_IN, this::callIn);
    }

    /** Freezes the job's key, or, if it has none, its queue, since a downstream system asks for a pause. */
    public void freeze(JobRecord job, Instant until, ErrorReport error) {
        if (!until.isAfter(out.now())) return;
        Identity by = out.by();
        boolean isShared = job.limitKey == null || (by != null && by.isConfined());
        Instant latest = out.now().plus(isShared ? LONGEST_SHARED_FREEZE : LONGEST_FREEZE);
        Instant end = until.isBefore(latest) ? until : latest;
        if (job.limitKey != null && mayFreeze(by, job.limitKey, job.queue)) {
            out.tell(
                    routing.ofLimit(job.limitKey),
                    "limit:" + job.limitKey,
                    new FreezeLimit(job.limitKey, end, error.message()));
            accounts.recall(job.limitKey);
        } else if (job.limitKey != null) freezeIn(job.queue, job.limitKey, end, error);
        else freeze(queues.of(job), end, error);
    }

    /** Returns whether the key is its own, or as much its own as everybody's. */
    private static boolean mayFreeze(@Nullable Identity by, String key, String queue) {
        return by == null || Objects.equals(by.limitSpace(key, queue), LimitSpace.ofName(key));
    }

    /** Others use the key, too: of its jobs, those in this queue are not started. */
    private void freezeIn(String queue, String key, Instant until, ErrorReport error) {
        accounts.freeze(key, queue, until);
        LimitEvents.adjusted(key, queue, until, error.message(), out);
    }

    private void freeze(Queue queue, Instant end, ErrorReport error) {
        queue.useLimit().freeze(end, Limits.echo(error.message()));
        queues.changed(queue);
        queues.toServe(queue);
        LimitEvents.adjusted(RateLimit.keyOfQueue(queue.name), null, end, error.message(), out);
    }

    /** Lets jobs that were put off wait in their queue again: their turn may come earlier now, or later. */
    public void changed(LimitChanged message) {
        PermitAccount account = accounts.find(message.key());
        if (account != null) accounts.unfreeze(account);
        if (account != null && !account.putOff.isEmpty() && !work.has(CALL_IN, account.key))
            work.begin(CALL_IN, account.key, null);
    }

    private byte @Nullable [] callIn(Work.Piece piece) {
        PermitAccount account = accounts.find(piece.subject());
        if (account == null) return null;
        BinaryIn cursor = new BinaryIn(piece.cursor());
        JobId after = piece.cursor().length == 0 ? null : new JobId(cursor.signed(), cursor.signed());
        List<JobId> some = (after == null ? account.putOff : account.putOff.tailSet(after, false))
                .stream().limit(SLICE).toList();
        for (JobId id : some) {
            out.about(Quarantine.JOB, id);
            JobRecord job = jobs.find(id);
            if (job != null) jobs.apply(new BecameDue(), job);
            out.aboutNothing();
        }
        if (some.size() < SLICE) return null;
        JobId last = some.getLast();
        return new BinaryOut().signed(last.high()).signed(last.low()).toBytes();
    }

    /** Answers how many jobs of these keys run here, and how many are held back. */
    public void count(CountLimited command) {
        JsonOut lines = JsonOut.object().endObject().newLine();
        for (String key : command.keys().isEmpty() ? busiest() : command.keys()) {
            PermitAccount account = accounts.find(key);
            Queue queue = limitedQueue(key);
            if (account == null && queue == null) continue;
            lines.beginObject()
                    .field("key", key)
                    .field(
                            "active",
                            queue == null ? Objects.requireNonNull(account).active : queue.counts.of(JobState.ACTIVE))
                    .field("waiting", heldBack(account, queue));
            if (account != null) {
                lines.beginObject("limits");
                account.allowance.write(lines);
                lines.endObject();
            }
            lines.endObject().newLine();
        }
        out.reply(lines);
    }

    private long heldBack(@Nullable PermitAccount account, @Nullable Queue queue) {
        if (queue != null && queue.held(out.now()) != null) return queue.ready().size();
        return account == null ? 0 : account.heldBack();
    }

    private record Busy(String key, long heldBack, long active) {
        static final Comparator<Busy> LEAST = Comparator.comparingLong(Busy::heldBack)
                .thenComparingLong(Busy::active)
                .thenComparing(Busy::key, Comparator.reverseOrder());
    }

    /** The keys that hold back most jobs here, and then those of which most run. */
    private List<String> busiest() {
        PriorityQueue<Busy> most = new PriorityQueue<>(Busy.LEAST);
        for (PermitAccount account : accounts.all())
            add(new Busy(account.key, account.heldBack(), account.active), most);
        for (Queue queue : queues.all()) {
            if (!QueueLimits.isLimited(queue, out.now())) continue;
            String key = RateLimit.keyOfQueue(queue.name);
            if (accounts.find(key) == null)
                add(new Busy(key, heldBack(null, queue), queue.counts.of(JobState.ACTIVE)), most);
        }
        return most.stream().sorted(Busy.LEAST.reversed()).map(Busy::key).toList();
    }

    private static void add(Busy one, PriorityQueue<Busy> most) {
        if (one.heldBack == 0 && one.active == 0) return;
        most.add(one);
        if (most.size() > CountLimited.MOST_KEYS) most.remove();
    }

    /** The queue that is limited as a whole under this key; null if there is none. */
    private @Nullable Queue limitedQueue(String key) {
        String name = LimitSpace.ofName(key) == null ? RateLimit.queueOf(key) : null;
        Queue queue = name == null ? null : queues.find(name);
        return queue != null && QueueLimits.isLimited(queue, out.now()) ? queue : null;
    }

    /** Messages between this partition and that one were lost. */
    public void verify(PartitionId other) {
        if (!other.equals(out.log()) && !work.has(VERIFY, other.toString())) work.begin(VERIFY, other.toString(), null);
    }

    private byte @Nullable [] verifySlice(Work.Piece piece) {
        String after = piece.cursor().length == 0 ? null : new String(piece.cursor(), UTF_8);
        return Optional.ofNullable(accounts.verify(PartitionId.parse(piece.subject()), after, SLICE))
                .map(last -> last.getBytes(UTF_8))
                .orElse(null);
    }
}
