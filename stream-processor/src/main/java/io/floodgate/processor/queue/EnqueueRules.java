package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.Moment;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.Release;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import java.util.List;

/**
 * Brings a job into its queue. An id that its producer chose is claimed first ({@link ClientIds}), in the partition
 * that the id itself names; that partition passes the job on, should its queue be in another one.
 */
public final class EnqueueRules {
    private final QueueRules queues;
    private final ClientIds ids;
    private final Routing routing;
    private final Effects out;

    public EnqueueRules(QueueRules queues, ClientIds ids, PartitionContext context) {
        this.queues = queues;
        this.ids = ids;
        routing = context.routing();
        out = context.out();
    }

    public void register(Handlers handlers) {
        handlers.on(Enqueue.class, this::enqueue);
        handlers.on(Place.class, this::place);
    }

    private void enqueue(Enqueue command) {
        Envelope envelope;
        try {
            envelope = EnvelopeReader.read(command.job());
        } catch (UnreadableJob unreadable) {
            out.reject(unreadable.rejection());
            return;
        }
        JobId id = envelope.id();
        PartitionId owner = routing.ofQueue(envelope.queue());
        // An id that leads to another log than the queue's was not made for it, whatever the sender says.
        boolean made = command.madeId() && id != null && routing.ofJob(id).equals(owner);
        boolean isChosen = id != null && !made;
        PartitionId place = id == null || made ? owner : routing.ofJob(id);
        if (envelope.terms().unique() != null && place.equals(out.log())) {
            storeUnique(envelope, id == null ? makeId(envelope.queue(), out.moment()) : id, !isChosen, command);
            return;
        }
        if (id != null && !made) claim(envelope, id, command);
        else if (!owner.equals(out.log())) out.pass(owner, envelope.queue(), command);
        else admitNew(envelope, id == null ? makeId(envelope.queue(), out.moment()) : id, command);
    }

    /** Stores a unique job as a batch of one job, which may have to claim a key in another partition. */
    private void storeUnique(Envelope envelope, JobId id, boolean madeId, Enqueue command) {
        byte[] job = queues.lastRead().write(envelope.withId(id));
        out.again(new EnqueueBatch(List.of(job), madeId, command.maxWait()), out.takeReplyTo());
    }

    private void claim(Envelope envelope, JobId id, Enqueue command) {
        if (ids.claim(envelope, id, command)) admitIfRoom(envelope, id, command);
    }

    /** Admits a job whose id no other client can have made. But the same record may have been sent twice. */
    private void admitNew(Envelope envelope, JobId id, Enqueue command) {
        // mutant: made-id-sent-twice
        Rejection taken = queues.knows(id) ? ids.rejectTaken(id) : null;
        if (taken == null) admitIfRoom(envelope, id, command);
        else out.reject(taken);
    }

    private void admitIfRoom(Envelope envelope, JobId id, Enqueue command) {
        // A job that waits keeps the id it was given first.
        Enqueue kept =
                envelope.id() == null ? new Enqueue(envelope.withId(id).toJson(), true, command.maxWait()) : command;
        Bounds.Room room = queues.bounds().makeRoom(envelope, kept, false);
        if (room.isThere()) admit(envelope, id, false);
        else if (room.rejection() != null) out.reject(room.rejection());
        else queues.bounds().park(room, kept);
    }

    private void admit(Envelope envelope, JobId id, boolean registered) {
        byte[] tail = queues.admit(envelope, id, registered);
        List<byte[]> loads = queues.bounds().loads(List.of(envelope.queue()));
        if (loads.isEmpty()) out.reply(tail);
        else
            out.reply(new JsonOut(512).raw(tail).newLine().raw(loads.getFirst()).newLine());
    }

    /** An id for a record of a plain Kafka client: the same whenever the record is replayed. */
    private JobId makeId(String queue, Moment at) {
        Slot slot = Slot.of(queue);
        long chance = at.offset() * 0x9E3779B97F4A7C15L + at.part() * 0xD1B54A32D192ED03L + slot.tag();
        chance = (chance ^ (chance >>> 30)) * 0xBF58476D1CE4E5B9L;
        return JobId.make(slot, at.time().toEpochMilli(), chance ^ (chance >>> 27));
    }

    /** The claimed job arrives at its queue. */
    private void place(Place message) {
        try {
            Envelope envelope = EnvelopeReader.read(message.job());
            JobId id = envelope.id();
            if (id == null) {
                out.reject(Rejection.of(ErrorCode.INVALID_PAYLOAD, "A job that was passed on has no id."));
                return;
            }
            // A batch that holds it has not got the claim, or no more: that batch will fail.
            queues.reserved().drop(id);
            if (queues.knows(id)) {
                out.reject(queues.hides(id) ? TakenIds.unavailable(id) : TakenIds.duplicate(id));
                return;
            }
            Bounds.Room room = queues.bounds().makeRoom(envelope, null, false);
            if (room.isThere()) admit(envelope, id, true);
            // A waiting producer is rejected once the id is free, so that trying again can help.
            else if (room.rejection() != null)
                out.pass(routing.ofJob(id), id.toString(), new Release(id, room.rejection()));
            else queues.bounds().park(room, message);
        } catch (UnreadableJob unreadable) {
            // No directory has read it: its sender is to blame.
            out.reject(unreadable.rejection());
        }
    }
}
