package io.floodgate.processor.directory;

import io.floodgate.processor.entity.Effects;
import io.floodgate.processor.entity.Moment;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.Message.Place;
import io.floodgate.topics.command.Message.Release;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Brings jobs into their queues. An id that its producer chose is claimed first, in the log that the id itself names, so
 * that it exists once in the whole cluster; if the queue lives in another log, an entry here leads to it.
 */
public final class Directory {
    private final KeyValues entities;
    private final Keys keys;
    private final Routing routing;
    private final QueueRules queues;
    private final Effects out;

    public Directory(KeyValues entities, Keys keys, Routing routing, QueueRules queues, Effects out) {
        this.entities = entities;
        this.keys = keys;
        this.routing = routing;
        this.queues = queues;
        this.out = out;
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
        if (id != null && !made) claimAndPlace(envelope, id, owner, command.job());
        else if (!owner.equals(out.log())) out.pass(owner, envelope.queue(), command);
        else out.reply(queues.admit(envelope, id == null ? makeId(envelope.queue(), out.moment()) : id, false));
    }

    /** An id for a record of a plain Kafka client: the same whenever the record is replayed. */
    private JobId makeId(String queue, Moment at) {
        Slot slot = Slot.of(queue);
        long chance = at.offset() * 0x9E3779B97F4A7C15L + slot.tag();
        chance = (chance ^ (chance >>> 30)) * 0xBF58476D1CE4E5B9L;
        return JobId.make(slot, at.time().toEpochMilli(), chance ^ (chance >>> 27));
    }

    private void claimAndPlace(Envelope envelope, JobId id, LogId owner, byte[] job) {
        LogId home = routing.ofJob(id);
        if (!home.equals(out.log())) {
            out.pass(home, id.toString(), new Enqueue(job, false));
        } else if (knows(id)) {
            out.refuse(duplicate(id));
        } else if (owner.equals(home)) {
            out.reply(queues.admit(envelope, id, false));
        } else {
            claim(id, envelope.queue());
            out.pass(owner, envelope.queue(), new Place(job));
        }
    }

    /** Whether the id is taken, as far as this log can know. */
    public boolean knows(JobId id) {
        return queues.knows(id) || queueOf(id) != null;
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
            if (id == null) throw new IllegalStateException("a claimed job without an id");
            if (queues.knows(id)) out.refuse(duplicate(id));
            else out.reply(queues.admit(envelope, id, true));
        } catch (UnreadableJob unreadable) {
            throw new IllegalStateException("a claimed job that cannot be read", unreadable);
        }
    }

    public void claim(JobId id, String queue) {
        entities.put(keys.directory(id), queue.getBytes(StandardCharsets.UTF_8));
    }

    public void release(Release message) {
        free(message.job());
        if (message.refusal() != null) out.refuse(message.refusal());
    }

    public void free(JobId id) {
        entities.delete(keys.directory(id));
    }

    /** Where a job of another log is; null when this log does not know the id. */
    public @Nullable String queueOf(JobId id) {
        byte[] queue = entities.get(keys.directory(id));
        return queue == null ? null : new String(queue, StandardCharsets.UTF_8);
    }

    /** Passes a command on to the log that has the job; refuses it when there is no such job. */
    public void passOn(JobCommand command) {
        String queue = queueOf(command.job());
        LogId owner = queue == null ? out.log() : routing.ofQueue(queue);
        if (owner.equals(out.log()))
            out.refuse(Refusal.notFound("job", command.job().toString()));
        else out.pass(owner, command.job().toString(), command);
    }
}
