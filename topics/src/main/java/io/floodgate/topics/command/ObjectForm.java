package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;

/** How values of one type are written as the members of a JSON object, and read from them. */
interface ObjectForm<T> {
    @FunctionalInterface
    interface Writer<T> {
        void write(T value, JsonOut out);
    }

    @FunctionalInterface
    interface Reader<T> {
        T read(JsonFields in) throws UnreadableCommand, MalformedJson;
    }

    static <T> ObjectForm<T> of(Writer<T> writer, Reader<T> reader) {
        return new ObjectForm<>() {
            @Override
            public void write(T value, JsonOut out) {
                writer.write(value, out);
            }

            @Override
            public T read(JsonFields in) throws UnreadableCommand, MalformedJson {
                return reader.read(in);
            }
        };
    }

    void write(T value, JsonOut out);

    T read(JsonFields in) throws UnreadableCommand, MalformedJson;

    /** Throws for a value that is larger than a receiver accepts. */
    default void check(T value) throws UnreadableCommand {}

    default T fromBytes(byte[] json) throws UnreadableCommand, MalformedJson {
        return read(JsonFields.of(json));
    }

    /** The object, as it stands in a store. */
    default byte[] toBytes(T value) {
        JsonOut out = JsonOut.object();
        write(value, out);
        return out.endObject().toBytes();
    }
}
