package io.floodgate.processor.queue.lifecycle;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.IngressKeys;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.BlockSeconds;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.Forward.SchemaFault;
import io.floodgate.topics.command.QueueCommand.Ingress;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.SignedRequest;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.SchemaMode;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes jobs from the topics of queues. A forwarder may die, and two may run for a while. So the offset that each
 * partition of a topic has reached is kept here, in the partition of the queue: each record comes in once, and in
 * order. A record without capacity in a queue that blocks stays in its topic, and those behind it: the topic is the
 * wait queue.
 */
public record IngressPartitions(KeyValues entities, Bounds bounds, Effects out) implements Entity {
    private static final JsonOut NOTHING = JsonOut.object().endObject();

    /** @param next the first offset that has not come in */
    private record Cursor(String topicId, long next) {
        static final StoredForm<Cursor> STORED = new StoredForm<>(Cursor.class, 1, "the position in a queue's topic");
    }

    /** Answers once it is certain that the record need not be forwarded again; what becomes of the job is announced. */
    public void take(Forward command) {
        Ingress ingress = command.ingress();
        byte[] key = IngressKeys.of(ingress.queue(), ingress.partition());
        byte[] stored = entities.get(key);
        Cursor cursor = stored == null ? null : Cursor.STORED.read(stored);
        boolean isKnown = cursor != null && cursor.topicId.equals(ingress.topicId());
        if (cursor != null && isKnown && command.offset() < cursor.next) {
            out.reply(NOTHING);
        } else if (cursor != null && isKnown && command.from() > cursor.next && !command.begins()) {
            out.reject(notYet("A record before this one has not come in.", command));
        } else {
            Source source = source(command);
            Rejection rejection = reject(command, source);
            if (rejection == null) rejection = rejectBySchema(command);
            // A job whose sender waits for an answer keeps no other one back.
            if (rejection != null && rejection.code().retryable() && source.replyTo == null) {
                out.reject(notYet(rejection.message(), command));
                return;
            }
            entities.put(key, Cursor.STORED.write(new Cursor(ingress.topicId(), command.offset() + 1)));
            byte[] job = command.job();
            if (rejection == null && job != null)
                out.again(
                        new Enqueue(job, source.madeId, patience(command, source)),
                        source.replyTo,
                        null,
                        source.sender);
            out.reply(NOTHING);
            if (rejection != null) {
                out.setReplyTo(source.replyTo);
                out.reject(rejection);
            }
        }
    }

    /**
     * The sender of a job.
     *
     * @param replyTo who waits for the answer; null for a plain producer
     * @param forged it claims to be of a gateway, and is not
     */
    private record Source(
            @Nullable ReplyTo replyTo, @Nullable Identity sender, boolean madeId, boolean forged) {}

    private Source source(Forward command) {
        SignedRequest request = command.request();
        Source plain = new Source(null, producer(command.queue()), false, request != null);
        byte[] job = command.job();
        if (request == null || job == null) return plain;
        byte[] key = entities.get(IngressKeys.signingKey());
        if (key == null || !request.isSignedWith(new BinaryIn(key).blob(), command.queue(), command.maxWait(), job))
            return plain;
        // As signed by a gateway, which writes none that cannot be read.
        return new Source(request.replyTo(), Identity.stored(request.by()), request.madeId(), false);
    }

    /** The first one that is offered stays: other gateways use it, too, and it outlives them. */
    public void use(UseKey command) {
        byte[] stored = entities.get(IngressKeys.signingKey());
        byte[] key = stored == null ? HexFormat.of().parseHex(command.offered()) : new BinaryIn(stored).blob();
        if (stored == null)
            entities.put(IngressKeys.signingKey(), new BinaryOut().blob(key).toBytes());
        out.reply(JsonOut.object(128)
                .field("key", HexFormat.of().formatHex(key))
                .field("read", hasAny(command.queue()))
                .endObject());
    }

    /** Opens a topic: from now on gateways know that it is read. */
    public void open(OpenIngress command) {
        Ingress ingress = command.ingress();
        byte[] key = IngressKeys.of(ingress.queue(), ingress.partition());
        byte[] stored = entities.get(key);
        if (stored == null || !Cursor.STORED.read(stored).topicId.equals(ingress.topicId()))
            entities.put(key, Cursor.STORED.write(new Cursor(ingress.topicId(), 0)));
        out.reply(NOTHING);
    }

    /** The forwarder comes again with it. */
    private static Rejection notYet(String why, Forward command) {
        return Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, why).with("offset", command.offset());
    }

    /**
     * Returns how long the job may wait. By the time that a job whose id leads to another partition is back here, the
     * capacity may be gone.
     */
    private Duration patience(Forward command, Source source) {
        Duration asked = command.maxWait();
        if (asked == null) return BlockSeconds.LONGEST;
        if (source.replyTo == null) return asked;
        // Who waits for an answer has waited since the record was written.
        Duration left = asked.minus(Duration.between(command.appended(), out.now()));
        return left.isNegative() ? Duration.ZERO : left.compareTo(asked) < 0 ? left : asked;
    }

    /**
     * Returns the identity of a client that writes to a topic. For a list of producers it is that topic, and it may use
     * its queue only.
     */
    private static Identity producer(String queue) {
        String topic = Topics.ingress(queue);
        String name = topic.substring(0, Math.min(topic.length(), Identity.NAME_CHARS));
        return new Identity(name, List.of(queue), null);
    }

    private @Nullable Rejection reject(Forward command, Source source) {
        byte[] job = command.job();
        if (job == null) return command.wrong();
        if (source.forged)
            return Rejection.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The header '%s' is not that of a gateway for this record; a job of any other producer has none."
                            .formatted(Headers.SIGNATURE));
        byte[] ended = entities.get(IngressKeys.ended(command.queue()));
        if (ended != null && !command.appended().isAfter(new BinaryIn(ended).time()))
            return Rejection.of(
                    ErrorCode.QUEUE_NOT_FOUND,
                    "Queue '%s' was deleted after the record was written.".formatted(command.queue()));
        Envelope envelope;
        try {
            envelope = EnvelopeReader.read(job);
        } catch (UnreadableJob unreadable) {
            return unreadable.rejection();
        }
        if (!envelope.queue().equals(command.queue())) return command.ingress().reject(envelope.queue());
        return bounds.heldBack(envelope, command.maxWait() != null);
    }

    /** A job that comes in all the same is announced: its producer gets no warning. */
    private @Nullable Rejection rejectBySchema(Forward command) {
        SchemaFault fault = command.schemaFault();
        if (fault == null) return null;
        SchemaMode mode = fault.under(bounds.config(command.queue()).policy().schemas());
        if (mode == SchemaMode.WARN)
            out.emit(
                    "job.schema_mismatch",
                    command.queue(),
                    command.queue(),
                    JsonOut.object()
                            .field("queue", command.queue())
                            .field("topic_partition", command.ingress().partition())
                            .field("topic_offset", command.offset())
                            .field("message", fault.why().message())
                            .endObject());
        return mode == SchemaMode.REJECT ? fault.why() : null;
    }

    /** Notes the end of a queue: what is in its topics by now was meant for it, and is rejected. */
    void end(Queue queue) {
        if (!queue.life().explicit() && !hasAny(queue.name)) return;
        Instant now = out.now();
        entities.put(IngressKeys.ended(queue.name), new BinaryOut().time(now).toBytes());
    }

    private boolean hasAny(String queue) {
        byte[] ofQueue = IngressKeys.ofQueue(queue);
        boolean[] any = {false};
        entities.scan(ofQueue, Keys.after(ofQueue), (key, value) -> {
            any[0] = true;
            return false;
        });
        return any[0];
    }

    /** How far the topics were read stays, as the topics do: they are still read, and no record comes in twice. */
    @Override
    public boolean clear(int most) {
        return entities.deleteSome(IngressKeys.allEnded(), most);
    }
}
