package io.floodgate.processor.topology;

import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.topics.Headers;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.TraceContext;
import io.floodgate.topics.job.UnreadableJob;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Kafka's records as the engine sees them. Headers that make no sense count as absent, also those for a reply. */
final class Records {
    private static final byte[] NO_VALUE = new byte[0];

    private Records() {}

    /** @param logStart where the partition begins, if there is a gap before this record; -1 otherwise */
    static PartitionRecord read(Record<String, byte[]> record, long offset, String topicId, long logStart) {
        String op =
                record.headers().lastHeader(Headers.TOO_LARGE) == null ? text(record, Headers.OP) : Headers.TOO_LARGE;
        byte[] value = op == null ? withTrace(record) : record.value();
        PartitionId from = log(text(record, Headers.FROM));
        return new PartitionRecord(
                offset,
                Instant.ofEpochMilli(Math.max(0, record.timestamp())),
                op,
                value == null ? NO_VALUE : value,
                replyTo(text(record, Headers.REPLY_TO)),
                from,
                from == null ? 0 : number(text(record, Headers.SEQUENCE)),
                from == null ? 0 : number(text(record, Headers.ACKED)),
                time(text(record, Headers.SENT)),
                text(record, Headers.BLOCK_TIMEOUT),
                topicId,
                logStart,
                text(record, Headers.BY));
    }

    /** A job of a plain producer, which puts its trace into the headers if it is instrumented. */
    private static byte @Nullable [] withTrace(Record<String, byte[]> record) {
        byte[] job = record.value();
        Optional<TraceContext> trace = TraceContext.of(
                text(record, TraceContext.TRACEPARENT),
                text(record, TraceContext.TRACESTATE),
                text(record, TraceContext.BAGGAGE));
        if (job == null || trace.isEmpty()) return job;
        try {
            return trace.get().putInto(EnvelopeReader.read(job)).toJson();
        } catch (UnreadableJob rejectedLater) {
            return job;
        }
    }

    /** Returns a record that must not be executed: only its position and its time. */
    static PartitionRecord skipped(Record<String, byte[]> record, long offset, String topicId, long logStart) {
        return new PartitionRecord(
                offset,
                Instant.ofEpochMilli(Math.max(0, record.timestamp())),
                Headers.SKIPPED,
                NO_VALUE,
                null,
                null,
                0,
                0,
                null,
                null,
                topicId,
                logStart);
    }

    private static @Nullable Instant time(@Nullable String text) {
        long millis = number(text);
        return millis <= 0 ? null : Instant.ofEpochMilli(millis);
    }

    private static @Nullable String text(Record<String, byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.US_ASCII);
    }

    private static @Nullable ReplyTo replyTo(@Nullable String text) {
        if (text == null) return null;
        try {
            return ReplyTo.parse(text);
        } catch (RuntimeException malformed) {
            return null;
        }
    }

    private static @Nullable PartitionId log(@Nullable String text) {
        if (text == null) return null;
        try {
            return PartitionId.parse(text);
        } catch (RuntimeException malformed) {
            return null;
        }
    }

    private static long number(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException malformed) {
            return 0;
        }
    }
}
