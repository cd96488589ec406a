package io.floodgate.processor.kernel;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ReplyTo;
import org.jspecify.annotations.Nullable;

/**
 * Messages between logs, exactly once and in order without a transaction on a log topic.
 *
 * <p>The sender numbers its messages for each receiver without gaps and keeps them until they are appended; after a crash
 * it sends what it has kept again. The receiver takes only the number it expects: what it has seen already is dropped,
 * and so is what came before its time, since its sender, having failed to append the one before, will send both again.
 */
public final class Mail {
    private final KeyValues entities;
    private final Keys keys;

    public Mail(KeyValues entities, Keys keys) {
        this.entities = entities;
        this.keys = keys;
    }

    Outgoing post(LogId to, String key, Command message, @Nullable ReplyTo replyTo) {
        long sequence = number(keys.sent(to)) + 1;
        entities.put(keys.sent(to), new BinaryOut().number(sequence).toBytes());
        CommandCodec.Encoded encoded = CommandCodec.encode(message);
        Outgoing outgoing = new Outgoing(to, sequence, key, encoded.op(), encoded.value(), replyTo);
        entities.put(keys.outbox(to, sequence), outgoing.write());
        return outgoing;
    }

    /** Whether this is the next message from that log, and not one that was seen before. */
    public boolean accept(LogId from, long sequence) {
        if (sequence != number(keys.received(from)) + 1) return false;
        entities.put(keys.received(from), new BinaryOut().number(sequence).toBytes());
        return true;
    }

    private long number(byte[] key) {
        byte[] stored = entities.get(key);
        return stored == null ? 0 : new BinaryIn(stored).number();
    }
}
