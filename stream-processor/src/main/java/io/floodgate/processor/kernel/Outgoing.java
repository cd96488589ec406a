package io.floodgate.processor.kernel;

import io.floodgate.processor.store.StoredForm;
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
    public static final StoredForm<Outgoing> STORED =
            new StoredForm<>(Outgoing.class, 1, "a message to another partition");

    /** A message that no identity has caused. */
    public Outgoing(PartitionId to, long sequence, String key, String op, byte[] value, @Nullable ReplyTo replyTo) {
        this(to, sequence, key, op, value, replyTo, null);
    }
}
