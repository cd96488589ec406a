package io.floodgate.processor.directory;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Moment;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.queue.Bounds;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorCode;
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
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings jobs into their queues. An id that its producer chose is claimed first, in the log that the id itself names, so
 * that it exists once in the whole cluster; if the queue lives in another log, an entry here leads to it.
 */
public final class Directory implements Entity {
    private static final String VERIFY = "verify-claims";
    private static final int SLICE = 200;

    /** In place of the batch that a claim is for: nobody has asked yet whether its job has come, and there may have been no room. */
    private static final String PASSED_ON = "?";

    private final KeyValues entities;
    private final Routing routing;
    private final QueueRules queues;
    private final Work work;
    private final Effects out;

    public Directory(KeyValues entities, Routing routing, QueueRules queues, Work work, Effects out) {
        this.entities = entities;
        this.routing = routing;
        this.queues = queues;
        this.work = work;
        this.out = out;
        work.define(VERIFY, this::verifySlice);
    }

    public void enqueue(Enqueue command) {
        Envelope envelope;
        try {
            envelope = EnvelopeReader.read(command.job());
        } catch (UnreadableJob unreadable) {
            out.refuse(unreadable.refusal());
            return;
        }
        JobId id = envelope.id();
        LogId owner = routing.ofQueue(envelope.queue());
        // An id that leads to another log than the queue's was not made for it, whatever the sender says.
        boolean made = command.madeId() && id != null && routing.ofJob(id).equals(owner);
        if (id != null && !made) claimAndPlace(envelope, id, owner, command);
        else if (!owner.equals(out.log())) out.pass(owner, envelope.queue(), command);
        else admitNew(envelope, id == null ? makeId(envelope.queue(), out.moment()) : id, command);
    }

    /** Nobody else can have made this id, but the same record may have been sent twice. */
    private void admitNew(Envelope envelope, JobId id, Enqueue command) {
        // mutant: made-id-sent-twice
        Refusal taken = refuseSentTwice(id);
        if (taken == null) admitIfRoom(envelope, id, command);
        else out.refuse(taken);
    }

    private void admitIfRoom(Envelope envelope, JobId id, Enqueue command) {
        // A job that waits keeps the id it was given first.
        Enqueue kept =
                envelope.id() == null ? new Enqueue(envelope.withId(id).toJson(), true, command.maxWait()) : command;
        Bounds.Room room = queues.bounds().makeRoom(envelope, kept);
        if (room.isThere()) admit(envelope, id, false);
        else if (room.refusal() != null) out.refuse(room.refusal());
    }

    private void admit(Envelope envelope, JobId id, boolean registered) {
        byte[] tail = queues.admit(envelope, id, registered);
        List<byte[]> loads = queues.bounds().loads(List.of(envelope.queue()));
        if (loads.isEmpty()) out.reply(tail);
        else
            out.reply(new JsonOut(512).raw(tail).newLine().raw(loads.getFirst()).newLine());
    }

    /** As {@link #refuseTaken}, for an id that was made for this job and cannot have been claimed anywhere. */
    public @Nullable Refusal refuseSentTwice(JobId id) {
        return queues.knows(id) ? refuseTaken(id) : null;
    }

    /** An id for a record of a plain Kafka client: the same whenever the record is replayed. */
    private JobId makeId(String queue, Moment at) {
        Slot slot = Slot.of(queue);
        long chance = at.offset() * 0x9E3779B97F4A7C15L + at.part() * 0xD1B54A32D192ED03L + slot.tag();
        chance = (chance ^ (chance >>> 30)) * 0xBF58476D1CE4E5B9L;
        return JobId.make(slot, at.time().toEpochMilli(), chance ^ (chance >>> 27));
    }

    private void claimAndPlace(Envelope envelope, JobId id, LogId owner, Enqueue command) {
        LogId home = routing.ofJob(id);
        Entry before = find(id);
        if (before != null && PASSED_ON.equals(before.batch)) {
            out.pass(routing.ofQueue(before.queue), before.queue, new Taken(id));
            return;
        }
        Refusal taken = refuseTaken(id);
        if (!home.equals(out.log())) {
            out.pass(home, id.toString(), new Enqueue(command.job(), false, command.maxWait()));
        } else if (taken != null) {
            out.refuse(taken);
        } else if (owner.equals(home)) {
            admitIfRoom(envelope, id, command);
        } else if (!command.maxWait().isZero()) {
            // The id is claimed only while there may be room: as for a batch over two logs, of one job.
            out.again(new EnqueueBatch(List.of(command.job()), false, command.maxWait()), out.replyTo());
            out.setReplyTo(null);
        } else {
            // mutant: id-claimed
            enter(id, new Entry(envelope.queue(), PASSED_ON, claim()));
            out.pass(owner, envelope.queue(), new Place(command.job()));
        }
    }

    /**
     * Why the id cannot be had, as far as this log can know; null when it is free. A batch that is not settled may still
     * fail and set its ids free: then nobody must have been told that their jobs exist.
     */
    public @Nullable Refusal refuseTaken(JobId id) {
        Entry entry = find(id);
        if (entry != null && PASSED_ON.equals(entry.batch))
            out.tell(routing.ofQueue(entry.queue), entry.queue, new Taken(id));
        // mutant: id-only-claimed
        if (queues.reserved().has(id) || (entry != null && entry.batch != null)) return unsettled(id);
        if (entry == null && !queues.knows(id)) return null;
        return isHidden(id, entry) ? unavailable(id) : duplicate(id);
    }

    /** Whose it is in another log is not known here: its queue has to do. */
    private boolean isHidden(JobId id, @Nullable Entry entry) {
        Identity by = out.by();
        return queues.hides(id) || (by != null && entry != null && !by.mayUse(entry.queue));
    }

    /** For a sender that may not see the job it is not a duplicate of its own, which a producer would take for stored. */
    private static Refusal unavailable(JobId id) {
        return Refusal.of(
                        ErrorCode.PERMISSION_DENIED,
                        "The id '%s' is taken by a job that this key may not see: nothing was stored. Use another id."
                                .formatted(id))
                .with("job_id", id.toString());
    }

    private static Refusal unsettled(JobId id) {
        return Refusal.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "The job '%s' is part of a batch that is being stored; try again.".formatted(id))
                .with("job_id", id.toString());
    }

    public static Refusal duplicate(JobId id) {
        return Refusal.of(ErrorCode.DUPLICATE, "A job with the id '%s' already exists.".formatted(id))
                .with("existing_job_id", id.toString());
    }

    /** The claimed job arrives at its queue. */
    public void place(Place message) {
        try {
            Envelope envelope = EnvelopeReader.read(message.job());
            JobId id = envelope.id();
            if (id == null) {
                out.refuse(Refusal.of(ErrorCode.INVALID_PAYLOAD, "A job that was passed on has no id."));
                return;
            }
            // Whoever holds it for a batch has not got the claim, or no more: that batch will fail.
            queues.reserved().drop(id);
            if (queues.knows(id)) {
                out.refuse(isHidden(id, null) ? unavailable(id) : duplicate(id));
                return;
            }
            Bounds.Room room = queues.bounds().makeRoom(envelope, null);
            if (room.isThere()) admit(envelope, id, true);
            // Whoever waits is refused once the id is free, so that trying again can help.
            else if (room.refusal() != null)
                out.pass(routing.ofJob(id), id.toString(), new Release(id, room.refusal()));
        } catch (UnreadableJob unreadable) {
            // No directory has read it: its sender is to blame.
            out.refuse(unreadable.refusal());
        }
    }

    /** Whoever asks for an id again comes after its job, here: it is there by now, or there was no room for it. */
    public void taken(Taken message) {
        JobId id = message.job();
        // Where there is an entry, it has been here, and has gone on.
        boolean isThere =
                find(id) != null || (queues.knows(id) && !queues.reserved().has(id));
        if (isThere) out.tell(routing.ofJob(id), id.toString(), new Placed(id));
        if (out.replyTo() == null) return;
        if (isThere) out.refuse(isHidden(id, find(id)) ? unavailable(id) : duplicate(id));
        else out.refuse(unsettled(id));
    }

    /** How many of these ids cannot be had, or may not be: of others it is certain that no job of theirs is on its way. */
    public void check(CheckIds command) {
        long known = command.ids().stream()
                .filter(id -> find(id) != null
                        || queues.knows(id)
                        || queues.reserved().has(id))
                .count();
        out.reply(new JsonOut(32).beginObject().field("known", known).endObject());
    }

    public void placed(Placed message) {
        settle(message.job(), PASSED_ON, true);
    }

    /**
     * A job is in another queue now. The log it comes from passes on what still comes for it, until its directory has said that
     * it sends nothing there any more.
     */
    public void readdress(Readdress message) {
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
    public void readdressed(Readdressed message) {
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
        // The job may be gone by now, and somebody else may have claimed the id.
        if (entry == null || !batch.equals(entry.batch)) return;
        if (commit) enter(id, new Entry(entry.queue, null, entry.claim));
        else free(id);
    }

    public void release(Release message) {
        free(message.job());
        if (message.refusal() != null) out.refuse(message.refusal());
    }

    /** Tells this claim of an id from later ones. */
    private long claim() {
        return out.nextNumber();
    }

    // ---- after messages were lost

    /** Messages between this log and that one were lost: what they have passed on may not be there, or no longer. */
    public void verify(LogId other) {
        if (!routing.has(other) || other.equals(out.log())) return;
        work.begin(VERIFY, other.toString(), null);
        queues.verify(other);
    }

    private byte @Nullable [] verifySlice(Work.Piece piece) {
        LogId other = LogId.parse(piece.subject());
        byte[] from = piece.cursor().length == 0 ? Keys.allDirectory() : piece.cursor();
        List<PassedOn> passedOn = new ArrayList<>();
        List<byte[]> seen = new ArrayList<>();
        entities.scan(from, Keys.after(Keys.allDirectory()), (key, value) -> {
            Entry entry = Entry.read(value);
            boolean isThere = entry.isPassedOn() && routing.ofQueue(entry.queue).equals(other);
            if (isThere) passedOn.add(entry.passedOn(Keys.jobAtEnd(key)));
            seen.add(key);
            return seen.size() < SLICE;
        });
        if (!passedOn.isEmpty()) out.tell(other, "verify", new Verify(out.log(), passedOn));
        return seen.size() < SLICE ? null : Work.after(seen.getLast());
    }

    /** Which of these jobs are not here: their ids are taken for nothing. */
    public void verify(Verify message) {
        List<PassedOn> missing = message.jobs().stream().filter(this::isMissing).toList();
        // mutant: claim-without-job
        if (!missing.isEmpty()) out.tell(message.directory(), "verify", new Missing(missing));
    }

    /** What is reserved for a batch is not the job that came alone: that one would have taken its place. */
    private boolean isMissing(PassedOn passedOn) {
        JobId id = passedOn.job();
        boolean isReserved = queues.reserved().has(id);
        return (!queues.knows(id) && find(id) == null) || (passedOn.alone() && isReserved);
    }

    public void missing(Missing message) {
        for (PassedOn passedOn : message.jobs()) {
            Entry entry = find(passedOn.job());
            // The id may have become free since, and have been claimed anew.
            if (entry != null && entry.isPassedOn() && entry.claim == passedOn.claim()) free(passedOn.job());
        }
    }

    @Override
    public boolean clear(int most) {
        List<byte[]> some = new ArrayList<>();
        byte[] prefix = Keys.allDirectory();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            some.add(key);
            return some.size() < most;
        });
        some.forEach(entities::delete);
        return some.size() < most;
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
        private static final int VERSION = 1;

        Entry(String queue, @Nullable String batch, long claim) {
            this(queue, batch, claim, 0);
        }

        /** Its job is at its queue, as far as is known here. */
        boolean isPassedOn() {
            return batch == null || batch.equals(PASSED_ON);
        }

        PassedOn passedOn(JobId id) {
            return new PassedOn(id, claim, PASSED_ON.equals(batch));
        }

        byte[] write() {
            BinaryOut out = new BinaryOut()
                    .u8(VERSION)
                    .text(queue)
                    .optional(batch)
                    .number(claim)
                    .number(hops);
            return out.toBytes();
        }

        static Entry read(byte[] stored) {
            BinaryIn in = new BinaryIn(stored);
            in.version(VERSION, () -> "an entry of the directory");
            return new Entry(in.text(), in.optionalText(), in.number(), in.integer());
        }
    }

    private void enter(JobId id, Entry entry) {
        entities.put(Keys.directory(id), entry.write());
    }

    private @Nullable Entry find(JobId id) {
        byte[] stored = entities.get(Keys.directory(id));
        return stored == null ? null : Entry.read(stored);
    }

    /** Where a job of another log is; null when this log does not know the id. */
    public @Nullable String queueOf(JobId id) {
        Entry entry = find(id);
        return entry == null ? null : entry.queue;
    }

    /** Passes a command on to the log that has the job; refuses it when there is no such job. */
    public void passOn(JobCommand command) {
        String queue = queueOf(command.job());
        LogId owner = queue == null ? out.log() : routing.ofQueue(queue);
        if (queues.reserved().has(command.job())) out.refuse(unsettled(command.job()));
        else if (owner.equals(out.log()))
            out.refuse(Refusal.notFound("job", command.job().toString()));
        else out.pass(owner, command.job().toString(), command);
    }
}
