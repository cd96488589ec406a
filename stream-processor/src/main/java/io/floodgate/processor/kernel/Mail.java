package io.floodgate.processor.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.ReplyTo;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages between partitions, exactly once and in order without a transaction on a partition topic.
 *
 * <p>The sender numbers its messages for each receiver without gaps and keeps them until they are appended; after a crash
 * it sends what it has kept again. The receiver takes only the number it expects: what it has taken already is dropped, and
 * so is what came before its time, since its sender, having failed to append the one before, will send both again. When
 * the sender says that what is missing has long been appended, then Kafka has lost it: the receiver jumps over it.
 */
public final class Mail {
    private static final int VERSION = 1;

    /** Number of messages of a sender that the receiver remembers: more than any outbox has under way. */
    static final long REMEMBERED = 4096;

    /** Decisions about a message that arrives. */
    public enum Arrival {
        /** The next one: it is executed. */
        NEXT,
        /** The next one after some that will never arrive: it is executed. */
        NEXT_AFTER_LOSS,
        /** Something else than what was taken under this number: one of both was forged. It is executed. */
        CONTRADICTION,
        /** Given up as lost, or passed because of a forged number, and here after all. It is executed. */
        LATE,
        /** Taken before: it is dropped. */
        REPEATED,
        /** One before it is still to come. */
        EARLY,
        /** Early as {@link #EARLY}, and some before it will never arrive. */
        EARLY_AFTER_LOSS;

        public boolean isCarriedOut() {
            return this == NEXT || this == NEXT_AFTER_LOSS || this == CONTRADICTION || this == LATE;
        }

        public boolean isAfterLoss() {
            return this == NEXT_AFTER_LOSS || this == EARLY_AFTER_LOSS;
        }
    }

    /**
     * @param taken the number of the last message taken
     * @param since from this number on, it is remembered what each looked like
     */
    private record Received(long taken, long since) {}

    private final KeyValues entities;
    private final Undo undo;
    /** The numbers of the last messages to each partition, and from it, as far as they were asked for. */
    private final Map<PartitionId, Long> sent = new TreeMap<>();

    private final Map<PartitionId, Received> received = new TreeMap<>();

    public Mail(KeyValues entities, Undo undo) {
        this.entities = entities;
        this.undo = undo;
    }

    Outgoing post(PartitionId to, String key, Command message, @Nullable ReplyTo replyTo, @Nullable Identity by) {
        long before = sentTo(to);
        long sequence = before + 1;
        sent.put(to, sequence);
        undo.by(() -> sent.put(to, before));
        entities.put(Keys.sent(to), new BinaryOut().u8(VERSION).number(sequence).toBytes());
        CommandCodec.Encoded encoded = CommandCodec.encode(message);
        Outgoing outgoing = new Outgoing(to, sequence, key, encoded.op(), encoded.value(), replyTo, by);
        entities.put(Keys.outbox(to, sequence), Outgoing.STORED.write(outgoing));
        return outgoing;
    }

    /** The number of the last message to this partition. */
    public long sentTo(PartitionId to) {
        Long known = sent.get(to);
        if (known != null) return known;
        byte[] stored = entities.get(Keys.sent(to));
        long last = 0;
        if (stored != null) {
            BinaryIn in = new BinaryIn(stored);
            in.version(VERSION, () -> "the number of the last message to " + to);
            last = in.number();
        }
        sent.put(to, last);
        return last;
    }

    /** The number of the last message taken from this partition. */
    public long takenFrom(PartitionId from) {
        return received(from).taken;
    }

    /**
     * @param acked up to this number, everything from there to here has reached Kafka; 0 if nothing is said
     * @param digest of what the message says
     */
    public Arrival accept(PartitionId from, long sequence, long acked, long digest) {
        Received received = received(from);
        // mutant: message-taken-before
        if (sequence <= received.taken) return again(from, sequence, digest, received);
        // mutant: lost-messages
        long lost = Math.min(acked, sequence - 1);
        boolean loses = lost > received.taken;
        long taken = Math.max(received.taken, lost);
        // mutant: gap-in-messages
        if (sequence > taken + 1) {
            if (loses) save(from, new Received(taken, received.since));
            return loses ? Arrival.EARLY_AFTER_LOSS : Arrival.EARLY;
        }
        save(from, new Received(sequence, received.since));
        remember(from, sequence, digest);
        return loses ? Arrival.NEXT_AFTER_LOSS : Arrival.NEXT;
    }

    /**
     * The sender says that this was its last number.
     *
     * @return whether higher ones were taken, which were forged: what comes next is taken again
     */
    public boolean ends(PartitionId from, long sequence) {
        Received received = received(from);
        if (sequence < 1 || received.taken <= sequence) return false;
        save(from, new Received(sequence, Math.min(received.since, sequence + 1)));
        return true;
    }

    /** A number that has been passed: the same message again, another one, or one that was given up as lost. */
    private Arrival again(PartitionId from, long sequence, long digest, Received received) {
        if (sequence < received.since || sequence < 1) return sequence < 1 ? Arrival.CONTRADICTION : Arrival.REPEATED;
        byte[] stored = entities.get(Keys.digest(from, sequence % REMEMBERED));
        BinaryIn in = stored == null ? null : new BinaryIn(stored);
        if (in != null) in.version(VERSION, () -> "what a message from " + from + " said");
        long taken = in == null ? 0 : in.number();
        // No outbox has this many under way: what has used the slot since is forged.
        if (taken > sequence) {
            remember(from, sequence, digest);
            return Arrival.LATE;
        }
        boolean known = in != null && taken == sequence;
        if (in != null && known && in.fixed() == digest) return Arrival.REPEATED;
        remember(from, sequence, digest);
        return known ? Arrival.CONTRADICTION : Arrival.LATE;
    }

    private void remember(PartitionId from, long sequence, long digest) {
        entities.put(
                Keys.digest(from, sequence % REMEMBERED),
                new BinaryOut().u8(VERSION).number(sequence).fixed(digest).toBytes());
    }

    private Received received(PartitionId from) {
        Received known = received.get(from);
        if (known == null) {
            known = stored(from);
            received.put(from, known);
        }
        return known;
    }

    private Received stored(PartitionId from) {
        byte[] stored = entities.get(Keys.received(from));
        if (stored == null) return new Received(0, 1);
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the number of the last message from " + from);
        return new Received(in.number(), in.number());
    }

    private void save(PartitionId from, Received now) {
        Received before = received(from);
        received.put(from, now);
        undo.by(() -> received.put(from, before));
        entities.put(
                Keys.received(from),
                new BinaryOut().u8(VERSION).number(now.taken).number(now.since).toBytes());
    }

    /** Tells messages apart (FNV-1a). */
    public static long digest(@Nullable String op, byte[] value, @Nullable ReplyTo replyTo) {
        long hash = add(0xcbf29ce484222325L, String.valueOf(op).getBytes(UTF_8));
        hash = add(hash, value);
        return replyTo == null ? hash : add(hash, replyTo.toString().getBytes(UTF_8));
    }

    private static long add(long begin, byte[] bytes) {
        long hash = begin;
        for (byte b : bytes) hash = (hash ^ (b & 0xFF)) * 0x100000001b3L;
        return (hash ^ 0xFF) * 0x100000001b3L;
    }
}
