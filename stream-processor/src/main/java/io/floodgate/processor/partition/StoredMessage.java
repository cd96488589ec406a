package io.floodgate.processor.partition;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.ReplyTo;
import org.jspecify.annotations.Nullable;

/** A message that was quarantined: what it said, who waits for the answer, and who has caused it. */
record StoredMessage(
        String op,
        byte[] value,
        @Nullable ReplyTo replyTo,
        @Nullable Identity by) {
    private static final int VERSION = 1;

    /** One that is larger is named, but not kept: it cannot be tried again. */
    static final int MOST_BYTES = 1024 * 1024;

    byte[] write() {
        BinaryOut out =
                new BinaryOut().u8(VERSION).text(op).blob(value).optional(replyTo == null ? null : replyTo.toString());
        if (by != null) out.text(by.write());
        return out.toBytes();
    }

    static StoredMessage read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a quarantined message");
        String op = in.text();
        byte[] value = in.blob();
        String replyTo = in.optionalText();
        Identity by = Identity.stored(in.hasMore() ? in.text() : null);
        return new StoredMessage(op, value, replyTo == null ? null : ReplyTo.parse(replyTo), by);
    }
}
