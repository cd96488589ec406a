package io.floodgate.processor.directory;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.queue.ClientIds;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.queue.TakenIds;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.Message.Missing;
import io.floodgate.topics.command.Message.PassedOn;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.Placed;
import io.floodgate.topics.command.Message.Readdress;
import io.floodgate.topics.command.Message.Readdressed;
import io.floodgate.topics.command.Message.Release;
import io.floodgate.topics.command.Message.Taken;
import io.floodgate.topics.command.Message.Verify;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings jobs into their queues. An id that its producer chose is claimed first, in the log that the id itself names, so
 * that it exists once in the whole cluster; if the queue lives in another log, an entry here leads to it.
 */
public final class Directory implements Entity, ClientIds {
    private static final String VERIFY = "verify-claims";
    private static final int SLICE = 200;

    /** Marks a claim without a batch: its job is not confirmed yet, there may have been no capacity. */
    private static final String PASSED_ON = "?";

    private final KeyValues entities;
    private final Routing routing;
    private final QueueRules queues;
    private final Work work;
    private final Effects out;

    public Directory(QueueRules queues, PartitionContext context) {
        this.entities = context.entities();
        this.routing = context.routing();
        this.queues = queues;
        this.work = context.work();
        this.out = context.out();
        context.work().register(VERIFY, this::verifySlice);
    }

    @Override
    public void register(Handlers handlers) {
        handlers.onEach(JobCommand.class, command -> {
            if (!queues.apply(command)) passOn(command);
        });
        handlers.on(Extend.class, command -> queues.extend(command, this::queueOf));
        handlers.on(CheckIds.class, this::check);
        handlers.on(Taken.class, this::taken);
        handlers.on(Placed.class, this::placed);
        handlers.on(Release.class, this::release);
        handlers.on(Verify.class, this::verify);
        handlers.on(Missing.class, this::missing);
        handlers.on(Readdress.class, this::readdress);
        handlers.on(Readdressed.class, this::readdressed);
    }

    /** An id that its producer has chosen: is claimed here if it leads here, and the job passed on to its queue. */
    @Override
    public boolean claim(Envelope envelope, JobId id, Enqueue command) {
        PartitionId owner = routing.ofQueue(envelope.queue());
        PartitionId home = routing.ofJob(id);
        Entry before = find(id);
        if (before != null && PASSED_ON.equals(before.batch)) {
            out.pass(routing.ofQueue(before.queue), before.queue, new Taken(id));
            return false;
        }
        Rejection taken = rejectTaken(id);
        if (!home.equals(out.log())) {
            out.pass(home, id.toString(), new Enqueue(command.job(), false, command.maxWait()));
        } else if (taken != null) {
            out.reject(taken);
        } else if (owner.equals(home)) {
            return true;
        } else if (!command.maxWait().isZero()) {
            // The id is claimed only while there may be capacity: as for a batch over two partitions, of one job.
            out.again(new EnqueueBatch(List.of(command.job()), false, command.maxWait()), out.takeReplyTo());
        } else {
            // mutant: id-claimed
            enter(id, new Entry(envelope.queue(), PASSED_ON, claim()));
            out.pass(owner, envelope.queue(), new Place(command.job()));
        }
        return false;
    }

    /**
     * Returns why the id cannot be used, as far as this partition can know; null when it is free. A batch that is not
     * settled may still fail and set its ids free: no answer may say before that their jobs exist.
     */
    @Override
    public @Nullable Rejection rejectTaken(JobId id) {
        Entry entry = find(id);
        if (entry != null && PASSED_ON.equals(entry.batch))
            out.tell(routing.ofQueue(entry.queue), entry.queue, new Taken(id));
        // mutant: id-only-claimed
        if (queues.reserved().has(id) || (entry != null && entry.batch != null)) return TakenIds.unsettled(id);
        if (entry == null && !queues.knows(id)) return null;
        return isHidden(id, entry) ? TakenIds.unavailable(id) : TakenIds.duplicate(id);
    }

    /**
     * Returns the same as {@link #rejectTaken}, for an id that was made for this job and cannot have been claimed
     * anywhere.
     */
    public @Nullable Rejection rejectSentTwice(JobId id) {
        return queues.knows(id) ? rejectTaken(id) : null;
    }

    /**
     * Returns whether the caller may not see the job. The tenant of a job in another partition is not known here: its
     * queue decides.
     */
    private boolean isHidden(JobId id, @Nullable Entry entry) {
        Identity by = out.by();
        return queues.hides(id) || (by != null && entry != null && !by.mayUse(entry.queue));
    }

    /**
     * The next request for an id comes after its job, here: the job is there by now, or there was no capacity for it.
     */
    private void taken(Taken message) {
        JobId id = message.job();
        // Where there is an entry, it has been here, and has gone on.
        boolean isThere =
                find(id) != null || (queues.knows(id) && !queues.reserved().has(id));
        if (isThere) out.tell(routing.ofJob(id), id.toString(), new Placed(id));
        if (out.replyTo() == null) return;
        if (isThere) out.reject(isHidden(id, find(id)) ? TakenIds.unavailable(id) : TakenIds.duplicate(id));
        else out.reject(TakenIds.unsettled(id));
    }

    /**
     * Answers how many of these ids cannot be used, or may not be: for others it is certain that no job of theirs is on
     * its way.
     */
    private void check(CheckIds command) {
        long known = command.ids().stream()
                .filter(id -> find(id) != null
                        || queues.knows(id)
                        || queues.reserved().has(id))
                .count();
        out.reply(JsonOut.object(32).field("known", known).endObject());
    }

    private void placed(Placed message) {
        settle(message.job(), PASSED_ON, true);
    }

    /**
     * A job is in another queue now. The log it comes from passes on what still comes for it, until its directory has said that
     * it sends nothing there any more.
     */
    private void readdress(Readdress message) {
        JobId id = message.job();
        boolean isHome = routing.ofJob(id).equals(out.log());
        boolean isHere = queues.knows(id) && !queues.reserved().has(id);
        Entry known = find(id);
        // The job itself stands for its id.
        // mutant: moved-id
        if (isHere) free(id);
        else if (known == null ? message.source().equals(out.log()) : message.hops() >= known.hops)
            enter(id, new Entry(message.queue(), null, claim(), message.hops()));
        if (isHome && !message.source().equals(out.log()))
            out.tell(message.source(), message.queue(), new Readdressed(id, message.queue()));
    }

    /** @param message of a directory: nothing comes here any more for this job */
    private void readdressed(Readdressed message) {
        Entry entry = find(message.job());
        boolean isHome = routing.ofJob(message.job()).equals(out.log());
        if (entry != null && !isHome && entry.queue.equals(message.queue())) free(message.job());
    }

    /** Claims the id for a batch, until that is settled. */
    public void claim(JobId id, String queue, String batch) {
        enter(id, new Entry(queue, batch, claim()));
    }

    /** The batch is settled: its claims are for good, or were for nothing. */
    public void settle(JobId id, String batch, boolean commit) {
        Entry entry = find(id);
        // The job may be gone by now, and another one may have claimed the id.
        if (entry == null || !batch.equals(entry.batch)) return;
        if (commit) enter(id, new Entry(entry.queue, null, entry.claim));
        else free(id);
    }

    private void release(Release message) {
        free(message.job());
        if (message.rejection() != null) out.reject(message.rejection());
    }

    /** Tells this claim of an id from later ones. */
    private long claim() {
        return out.nextNumber();
    }

    // ---- after messages were lost

    /** Messages between this log and that one were lost: what they have passed on may not be there, or no longer. */
    public void verify(PartitionId other) {
        if (!routing.has(other) || other.equals(out.log())) return;
        work.begin(VERIFY, other.toString(), null);
        queues.verify(other);
    }

    private byte @Nullable [] verifySlice(Work.Piece piece) {
        PartitionId other = PartitionId.parse(piece.subject());
        byte[] from = piece.cursor().length == 0 ? Keys.allDirectory() : piece.cursor();
        List<PassedOn> passedOn = new ArrayList<>();
        List<byte[]> seen = new ArrayList<>();
        entities.scan(from, Keys.after(Keys.allDirectory()), (key, value) -> {
            Entry entry = Entry.STORED.read(value);
            boolean isThere = entry.isPassedOn() && routing.ofQueue(entry.queue).equals(other);
            if (isThere) passedOn.add(entry.passedOn(Keys.jobAtEnd(key)));
            seen.add(key);
            return seen.size() < SLICE;
        });
        if (!passedOn.isEmpty()) out.tell(other, "verify", new Verify(out.log(), passedOn));
        return seen.size() < SLICE ? null : Work.after(seen.getLast());
    }

    /** Answers which of these jobs are not here: their ids are taken for nothing. */
    private void verify(Verify message) {
        List<PassedOn> missing = message.jobs().stream().filter(this::isMissing).toList();
        // mutant: claim-without-job
        if (!missing.isEmpty()) out.tell(message.directory(), "verify", new Missing(missing));
    }

    /**
     * Returns whether the job is not here. A job that is reserved for a batch is not the one that came alone, which
     * would have its id.
     */
    private boolean isMissing(PassedOn passedOn) {
        JobId id = passedOn.job();
        boolean isReserved = queues.reserved().has(id);
        return (!queues.knows(id) && find(id) == null) || (passedOn.alone() && isReserved);
    }

    private void missing(Missing message) {
        for (PassedOn passedOn : message.jobs()) {
            Entry entry = find(passedOn.job());
            // The id may have become free since, and have been claimed again.
            if (entry != null && entry.isPassedOn() && entry.claim == passedOn.claim()) free(passedOn.job());
        }
    }

    @Override
    public boolean clear(int most) {
        return entities.deleteSome(Keys.allDirectory(), most);
    }

    private void free(JobId id) {
        entities.delete(Keys.directory(id));
    }

    /**
     * @param batch the batch whose claim this is, until it is settled
     * @param claim tells it from earlier and later claims of the same id
     * @param hops how often the job had gone to another queue when this was said of it
     */
    record Entry(String queue, @Nullable String batch, long claim, int hops) {
        static final StoredForm<Entry> STORED = new StoredForm<>(Entry.class, 1, "an entry of the directory");

        Entry(String queue, @Nullable String batch, long claim) {
            this(queue, batch, claim, 0);
        }

        /** Returns whether the job is at its queue, as far as is known here. */
        boolean isPassedOn() {
            return batch == null || batch.equals(PASSED_ON);
        }

        PassedOn passedOn(JobId id) {
            return new PassedOn(id, claim, PASSED_ON.equals(batch));
        }
    }

    private void enter(JobId id, Entry entry) {
        entities.put(Keys.directory(id), Entry.STORED.write(entry));
    }

    private @Nullable Entry find(JobId id) {
        byte[] stored = entities.get(Keys.directory(id));
        return stored == null ? null : Entry.STORED.read(stored);
    }

    /** Returns the queue of a job in another partition; null when this partition does not know the id. */
    private @Nullable String queueOf(JobId id) {
        Entry entry = find(id);
        return entry == null ? null : entry.queue;
    }

    /**
     * Returns where a job may be that is not here; this partition if none of the others can have it, as far as is known
     * here.
     */
    public PartitionId placeOf(JobId id) {
        String queue = queueOf(id);
        return queue == null ? routing.ofJob(id) : routing.ofQueue(queue);
    }

    /** Passes a command on to the log that has the job; rejects it when there is no such job. */
    private void passOn(JobCommand command) {
        String queue = queueOf(command.job());
        PartitionId owner = queue == null ? out.log() : routing.ofQueue(queue);
        if (queues.reserved().has(command.job())) out.reject(TakenIds.unsettled(command.job()));
        else if (owner.equals(out.log()))
            out.reject(Rejection.notFound("job", command.job().toString()));
        else out.pass(owner, command.job().toString(), command);
    }
}
