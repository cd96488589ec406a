package io.floodgate.processor.kernel;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.ReplyTo;
import org.jspecify.annotations.Nullable;

/** A message on its way to another log; kept in the outbox until its append is acknowledged. */
public record Outgoing(
        LogId to,
        long sequence,
        String key,
        String op,
        byte[] value,
        @Nullable ReplyTo replyTo) {
    private static final int VERSION = 1;

    byte[] write() {
        return new BinaryOut()
                .u8(VERSION)
                .text(to.toString())
                .number(sequence)
                .text(key)
                .text(op)
                .optional(replyTo == null ? null : replyTo.toString())
                .blob(value)
                .toBytes();
    }

    public static Outgoing read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a message to another log");
        LogId to = LogId.parse(in.text());
        long sequence = in.number();
        String key = in.text();
        String op = in.text();
        String replyTo = in.optionalText();
        return new Outgoing(to, sequence, key, op, in.blob(), replyTo == null ? null : ReplyTo.parse(replyTo));
    }
}
