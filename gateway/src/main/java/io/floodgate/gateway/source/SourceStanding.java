package io.floodgate.gateway.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.gateway.source.SourceTopics.Row;
import io.floodgate.topics.command.SourceCommand.Source;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source, and how far it has come in.
 *
 * @param state one of the states that the documentation lists
 * @param rows of its partitions; empty if they are not known
 * @param perSecond records that have come in between two looks; null if it was not looked at before
 * @param stillSince since when this gateway has seen records wait and none come in; null if some have come
 */
public record SourceStanding(
        Source source,
        String state,
        List<Row> rows,
        @Nullable Double perSecond,
        @Nullable Instant stillSince) {
    /** @param rows null if there is no such topic */
    static SourceStanding of(Source source, @Nullable List<Row> rows) {
        if (rows == null) return new SourceStanding(source, "topic_missing", List.of(), null, null);
        boolean isOpen = rows.stream().allMatch(row -> row.position() >= 0);
        String state = source.isPaused() ? "paused" : isOpen ? "reading" : "opening";
        return new SourceStanding(source, state, rows, null, null);
    }

    static SourceStanding unknown(Source source) {
        return new SourceStanding(source, "unknown", List.of(), null, null);
    }

    SourceStanding moving(@Nullable Double atRate, @Nullable Instant since) {
        return new SourceStanding(source, state, rows, atRate, since);
    }

    public long lag() {
        return rows.stream().mapToLong(Row::lag).sum();
    }

    /** Returns how many records have come in, from the beginnings of the partitions. */
    long position() {
        return rows.stream().mapToLong(row -> Math.max(0, row.position())).sum();
    }

    /** Returns the object as the API shows it, with its topic and how it stands. */
    public byte[] toJson() {
        return write(JsonOut.object(1_024), false).endObject().toBytes();
    }

    JsonOut write(JsonOut out, boolean withPartitions) {
        members(source, out).field("state", state);
        if (rows.isEmpty()) return out;
        lag(rows, out);
        if (perSecond != null) out.field("records_per_second", perSecond);
        out.optional("still_since", stillSince);
        return withPartitions ? partitions(rows, out) : out;
    }

    static void lag(List<Row> rows, JsonOut out) {
        out.field("lag", rows.stream().mapToLong(Row::lag).sum());
    }

    static JsonOut partitions(List<Row> rows, JsonOut out) {
        out.beginArray("partitions");
        for (Row row : rows) {
            out.beginObject().field("partition", row.partition());
            if (row.position() >= 0) out.field("position", row.position());
            out.field("end", row.end()).field("lag", row.lag()).endObject();
        }
        return out.endArray();
    }

    static JsonOut members(Source source, JsonOut out) {
        out.field("name", source.name())
                .field("topic", source.topic())
                .field("queue", source.queue())
                .field("value", source.mapping().value().wire())
                .fieldRaw("job", source.mapping().job())
                .optional("dead_letter_topic", source.mapping().deadLetters());
        return start("start", source.beginning().at(), out)
                .field("paused", source.isPaused())
                .field("created_at", source.createdAt());
    }

    /** Writes where a source begins: offsets as an object. */
    static JsonOut start(String name, String start, JsonOut out) {
        return start.startsWith("{") ? out.name(name).raw(start.getBytes(UTF_8)) : out.field(name, start);
    }
}
