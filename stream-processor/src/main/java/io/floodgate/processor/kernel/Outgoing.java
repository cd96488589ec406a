package io.floodgate.processor.kernel;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.ReplyTo;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way to another partition; kept in the outbox until its append is acknowledged.
 *
 * @param by the identity that has caused it; null for none
 */
public record Outgoing(
        PartitionId to,
        long sequence,
        String key,
        String op,
        byte[] value,
        @Nullable ReplyTo replyTo,
        @Nullable Identity by) {
    private static final int VERSION = 1;

    /** A message that no identity has caused. */
    public Outgoing(PartitionId to, long sequence, String key, String op, byte[] value, @Nullable ReplyTo replyTo) {
        this(to, sequence, key, op, value, replyTo, null);
    }

    byte[] write() {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .text(to.toString())
                .number(sequence)
                .text(key)
                .text(op)
                .optional(replyTo == null ? null : replyTo.toString())
                .blob(value);
        if (by != null) out.text(by.write());
        return out.toBytes();
    }

    public static Outgoing read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a message to another partition");
        PartitionId to = PartitionId.parse(in.text());
        long sequence = in.number();
        String key = in.text();
        String op = in.text();
        String replyTo = in.optionalText();
        byte[] value = in.blob();
        Identity by = Identity.stored(in.hasMore() ? in.text() : null);
        return new Outgoing(to, sequence, key, op, value, replyTo == null ? null : ReplyTo.parse(replyTo), by);
    }
}
