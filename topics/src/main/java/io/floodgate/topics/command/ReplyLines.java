package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;

/** Records as lines of replies, which the partition has written by the same class. */
public final class ReplyLines {
    private ReplyLines() {}

    public static JsonOut write(Record value) {
        return write(value, value.getClass());
    }

    private static <R> JsonOut write(Object value, Class<R> type) {
        JsonOut out = JsonOut.object();
        RecordForm.of(type).write(type.cast(value), out);
        return out.endObject();
    }

    public static <R extends Record> R read(Class<R> type, byte[] line) {
        try {
            return RecordForm.of(type).fromBytes(line);
        } catch (UnreadableCommand | MalformedJson unreadable) {
            throw new IllegalStateException("a reply that cannot be read", unreadable);
        }
    }
}
