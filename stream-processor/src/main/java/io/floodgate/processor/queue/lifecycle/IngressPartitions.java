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
import io.floodgate.processor.store.Section;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.Headers;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.BlockSeconds;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Ingress;
import io.floodgate.topics.command.Ingress.Reading;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.Forward.SchemaFault;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.QueueCommand.UseKey;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.SignedRequest;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Wire;
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
    private static final Section POSITIONS = Section.of("source-position");

    /**
     * How far a topic has come in.
     *
     * @param next the first offset that has not come in
     * @param epoch of the reading of a source; zero for a queue's own topic
     */
    private record Cursor(
            String topicId,
            @Wire.Least(0) long next,
            @Wire.Least(0) long epoch) {
        static Cursor of(Ingress ingress, long next) {
            Reading reading = ingress.reading();
            return new Cursor(ingress.topicId(), next, reading == null ? 0 : reading.epoch());
        }

        boolean isOf(Ingress ingress) {
            return equals(of(ingress, next));
        }

        static final StoredForm<Cursor> STORED = new StoredForm<>(Cursor.class, 1, "the position in a queue's topic");
    }

    /** Answers once it is certain that the record need not be forwarded again; what becomes of the job is announced. */
    public void take(Forward command) {
        Ingress ingress = command.ingress();
        byte[] key = key(ingress);
        Cursor cursor = cursor(key);
        if (cursor != null && !cursor.isOf(ingress)) cursor = null;
        if (cursor == null && ingress.reading() != null) {
            // Another forwarder reads on elsewhere, or this one has to say where it begins.
            out.reject(notYet("The source is not open for this reading.", command));
        } else if (cursor != null && command.offset() < cursor.next) {
            out.reply(NOTHING);
        } else if (cursor != null && command.from() > cursor.next && !command.begins()) {
            out.reject(notYet("A record before this one has not come in.", command));
        } else {
            Sender sender = sender(command);
            Rejection rejection = reject(command, sender);
            if (rejection == null) rejection = rejectBySchema(command);
            // A job whose sender waits for an answer keeps no other one back.
            if (rejection != null && rejection.code().retryable() && sender.replyTo == null) {
                out.reject(notYet(rejection.message(), command));
                return;
            }
            // The forwarder keeps it elsewhere first, and comes again without the job.
            if (rejection != null && ingress.reading() != null && command.job() != null) {
                out.reject(rejection);
                return;
            }
            entities.put(key, Cursor.STORED.write(Cursor.of(ingress, command.offset() + 1)));
            byte[] job = command.job();
            if (rejection == null && job != null)
                out.again(
                        new Enqueue(job, sender.madeId, patience(command, sender)),
                        sender.replyTo,
                        null,
                        sender.identity);
            out.reply(NOTHING);
            if (rejection != null) {
                out.setReplyTo(sender.replyTo);
                out.reject(rejection);
            }
        }
    }

    private static byte[] key(Ingress ingress) {
        Reading reading = ingress.reading();
        return reading == null
                ? IngressKeys.of(ingress.queue(), ingress.partition())
                : POSITIONS.key("%s %s %d".formatted(ingress.queue(), reading.source(), ingress.partition()));
    }

    private @Nullable Cursor cursor(byte[] key) {
        byte[] stored = entities.get(key);
        return stored == null ? null : Cursor.STORED.read(stored);
    }

    /**
     * The sender of a job.
     *
     * @param replyTo who waits for the answer; null for a plain producer
     * @param forged it claims to be of a gateway, and is not
     */
    private record Sender(
            @Nullable ReplyTo replyTo, @Nullable Identity identity, boolean madeId, boolean forged) {}

    private Sender sender(Forward command) {
        SignedRequest request = command.request();
        Sender plain = new Sender(null, producer(command.ingress()), false, request != null);
        byte[] job = command.job();
        if (request == null || job == null) return plain;
        byte[] key = entities.get(IngressKeys.signingKey());
        if (key == null || !request.isSignedWith(new BinaryIn(key).blob(), command.queue(), command.maxWait(), job))
            return plain;
        // As signed by a gateway, which writes none that cannot be read.
        return new Sender(request.replyTo(), Identity.stored(request.by()), request.madeId(), false);
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

    /** Opens a topic: from now on gateways know that it is read, and it is known where its first record is. */
    public void open(OpenIngress command) {
        Ingress ingress = command.ingress();
        byte[] key = key(ingress);
        Cursor before = cursor(key);
        Cursor cursor = before != null && before.isOf(ingress) ? before : Cursor.of(ingress, command.from());
        if (before != null && before.epoch > cursor.epoch) {
            out.reject(Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, "The source is read elsewhere by now."));
            return;
        }
        if (!cursor.equals(before)) entities.put(key, Cursor.STORED.write(cursor));
        out.reply(JsonOut.object().field("next", cursor.next).endObject());
    }

    /** The forwarder comes again with it. */
    private static Rejection notYet(String why, Forward command) {
        return Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, why).with("offset", command.offset());
    }

    /**
     * Returns how long the job may wait. By the time that a job whose id leads to another partition is back here, the
     * capacity may be gone.
     */
    private Duration patience(Forward command, Sender sender) {
        Duration asked = command.maxWait();
        if (asked == null) return BlockSeconds.LONGEST;
        if (sender.replyTo == null) return asked;
        // Who waits for an answer has waited since the record was written.
        Duration left = asked.minus(Duration.between(command.appended(), out.now()));
        return left.isNegative() ? Duration.ZERO : left.compareTo(asked) < 0 ? left : asked;
    }

    /**
     * Returns the identity of a client that writes to a topic. For a list of producers it is that topic, or the source, and it
     * may use its queue only.
     */
    private static Identity producer(Ingress ingress) {
        Reading reading = ingress.reading();
        String topic = reading == null ? Topics.ingress(ingress.queue()) : "source:" + reading.source();
        String name = topic.substring(0, Math.min(topic.length(), Identity.NAME_CHARS));
        return new Identity(name, List.of(ingress.queue()), null);
    }

    private @Nullable Rejection reject(Forward command, Sender sender) {
        byte[] job = command.job();
        if (job == null) return command.wrong();
        if (sender.forged)
            return Rejection.of(
                    ErrorCode.PERMISSION_DENIED,
                    "The header '%s' is not that of a gateway for this record; a job of any other producer has none."
                            .formatted(Headers.SIGNATURE));
        boolean isOfSource = command.ingress().reading() != null;
        byte[] ended = isOfSource ? null : entities.get(IngressKeys.ended(command.queue()));
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
        return bounds.heldBack(envelope, command.maxWait() != null, isOfSource);
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
        return entities.deleteSome(IngressKeys.allEnded(), most) && Section.clear(entities, most, POSITIONS);
    }
}
