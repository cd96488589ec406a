package io.floodgate.processor.simulation;

import io.floodgate.processor.log.LogRecord;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.ReplyTo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The log topics: what is appended stays, in this order, with the broker's time on it. */
final class Broker {
    private final Map<LogId, List<LogRecord>> logs = new TreeMap<>();
    private final Map<LogId, Integer> starts = new TreeMap<>();
    private final Consumer<LogId> onAppend;

    /** Of the topic of all logs. */
    static final String TOPIC_ID = "topic";

    Broker(List<LogId> all, Consumer<LogId> onAppend) {
        all.forEach(log -> logs.put(log, new ArrayList<>()));
        this.onAppend = onAppend;
    }

    /** @param from the sending log, with its number for the message; null for anybody else */
    void append(
            LogId log,
            long time,
            @Nullable String op,
            byte[] value,
            @Nullable ReplyTo replyTo,
            @Nullable LogId from,
            long sequence,
            long acked) {
        List<LogRecord> records = log(log);
        records.add(new LogRecord(
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

    /** Records before this offset are gone, whether they were carried out or not. */
    void truncate(LogId log, int start) {
        starts.merge(log, start, Math::max);
    }

    /** The record at this offset, or the first one that is left behind it; null at the end. */
    @Nullable
    LogRecord read(LogId log, int offset) {
        List<LogRecord> records = log(log);
        int start = starts.getOrDefault(log, 0);
        int at = Math.max(offset, start);
        if (at >= records.size()) return null;
        LogRecord record = records.get(at);
        return at == offset ? record : startingAt(record, start);
    }

    private static LogRecord startingAt(LogRecord record, long start) {
        return new LogRecord(
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

    List<LogRecord> log(LogId log) {
        List<LogRecord> records = logs.get(log);
        if (records == null) throw new AssertionError("there is no log " + log);
        return records;
    }

    Map<LogId, List<LogRecord>> all() {
        return logs;
    }
}
