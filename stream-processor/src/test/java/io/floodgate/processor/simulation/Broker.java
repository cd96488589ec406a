package io.floodgate.processor.simulation;

import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ReplyTo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The partition topics: what is appended stays, in this order, with the broker's time on it. */
final class Broker {
    private final Map<PartitionId, List<PartitionRecord>> logs = new TreeMap<>();
    private final Map<PartitionId, Integer> starts = new TreeMap<>();
    private final Consumer<PartitionId> onAppend;

    /** Of the topic of all partitions. */
    static final String TOPIC_ID = "topic";

    Broker(List<PartitionId> all, Consumer<PartitionId> onAppend) {
        all.forEach(log -> logs.put(log, new ArrayList<>()));
        this.onAppend = onAppend;
    }

    /** @param from the sending log, with its number for the message; null for anybody else */
    void append(
            PartitionId log,
            long time,
            @Nullable String op,
            byte[] value,
            @Nullable ReplyTo replyTo,
            @Nullable PartitionId from,
            long sequence,
            long acked) {
        List<PartitionRecord> records = log(log);
        records.add(new PartitionRecord(
                records.size(),
                Instant.ofEpochMilli(time),
                op,
                value,
                replyTo,
                from,
                sequence,
                acked,
                Instant.ofEpochMilli(time),
                TOPIC_ID,
                -1));
        onAppend.accept(log);
    }

    /** Records before this offset are gone, whether they were executed or not. */
    void truncate(PartitionId log, int start) {
        starts.merge(log, start, Math::max);
    }

    /** The record at this offset, or the first one that is left behind it; null at the end. */
    @Nullable
    PartitionRecord read(PartitionId log, int offset) {
        List<PartitionRecord> records = log(log);
        int start = starts.getOrDefault(log, 0);
        int at = Math.max(offset, start);
        if (at >= records.size()) return null;
        PartitionRecord record = records.get(at);
        return at == offset ? record : startingAt(record, start);
    }

    private static PartitionRecord startingAt(PartitionRecord record, long start) {
        return new PartitionRecord(
                record.offset(),
                record.appended(),
                record.op(),
                record.value(),
                record.replyTo(),
                record.from(),
                record.sequence(),
                record.acked(),
                record.sent(),
                record.topicId(),
                start);
    }

    List<PartitionRecord> log(PartitionId log) {
        List<PartitionRecord> records = logs.get(log);
        if (records == null) throw new AssertionError("there is no log " + log);
        return records;
    }

    Map<PartitionId, List<PartitionRecord>> all() {
        return logs;
    }
}
