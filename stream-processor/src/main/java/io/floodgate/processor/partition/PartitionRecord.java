package io.floodgate.processor.partition;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.CommandBatch;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UnreadableCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of the partition, as far as the rules can see it.
 *
 * @param appended when the broker appended it
 * @param op what it asks for; null for a plain job
 * @param from the partition that sent it, with its number (of a batch, that of the first message) among the messages from there;
 *     null for anybody else
 * @param acked up to this number, all messages from there to here have reached Kafka; 0 if nothing is said
 * @param sent when it was sent, by the sender's clock; null if nothing is said
 * @param topicId of the topic it stands in: one that is deleted and made again has another; empty if unknown
 * @param blockTimeout how long its producer waits for room, as it says it; null if it says nothing
 * @param logStart where the partition begins, looked up when there is a gap before this record; -1 otherwise
 * @param by who sent it, as it stands in its header; null for the cluster itself, and for plain producers
 */
public record PartitionRecord(
        long offset,
        Instant appended,
        @Nullable String op,
        byte[] value,
        @Nullable ReplyTo replyTo,
        @Nullable PartitionId from,
        long sequence,
        long acked,
        @Nullable Instant sent,
        @Nullable String blockTimeout,
        String topicId,
        long logStart,
        @Nullable String by) {
    /** A record that no identity has sent. */
    public PartitionRecord(
            long offset,
            Instant appended,
            @Nullable String op,
            byte[] value,
            @Nullable ReplyTo replyTo,
            @Nullable PartitionId from,
            long sequence,
            long acked,
            @Nullable Instant sent,
            @Nullable String blockTimeout,
            String topicId,
            long logStart) {
        this(offset, appended, op, value, replyTo, from, sequence, acked, sent, blockTimeout, topicId, logStart, null);
    }

    /** A record whose producer does not say how long it waits. */
    public PartitionRecord(
            long offset,
            Instant appended,
            @Nullable String op,
            byte[] value,
            @Nullable ReplyTo replyTo,
            @Nullable PartitionId from,
            long sequence,
            long acked,
            @Nullable Instant sent,
            String topicId,
            long logStart) {
        this(offset, appended, op, value, replyTo, from, sequence, acked, sent, null, topicId, logStart);
    }

    /** Makes a record without its position and its predecessor. */
    public PartitionRecord(
            long offset,
            Instant appended,
            @Nullable String op,
            byte[] value,
            @Nullable ReplyTo replyTo,
            @Nullable PartitionId from,
            long sequence) {
        this(offset, appended, op, value, replyTo, from, sequence, 0, null, "", -1);
    }

    /** Returns the commands of a batch, or the record itself. */
    List<PartitionRecord> parts() {
        if (!CommandBatch.OP.equals(op)) return List.of(this);
        try {
            List<PartitionRecord> parts = new ArrayList<>();
            for (CommandBatch.Part part : CommandBatch.decode(value)) parts.add(with(part, parts.size()));
            return parts;
        } catch (UnreadableCommand unreadable) {
            return List.of(this); // rejected as what it is
        }
    }

    /** Messages of a batch have numbers without a gap. */
    private PartitionRecord with(CommandBatch.Part part, int index) {
        return new PartitionRecord(
                offset,
                appended,
                part.op(),
                part.value(),
                part.replyTo(),
                from,
                sequence > 0 ? sequence + index : 0,
                acked,
                sent,
                null,
                topicId,
                logStart,
                part.by());
    }

    /** Returns whether it only lets time pass. */
    public boolean isTick() {
        return "tick".equals(op);
    }
}
