package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;

/** How values of one type are written as one member of a JSON object, and read from it. */
record MemberForm<T>(Writer<T> writer, Reader<T> reader, Check<T> check) {
    @FunctionalInterface
    interface Writer<T> {
        void write(JsonOut out, String name, T value);
    }

    @FunctionalInterface
    interface Reader<T> {
        T read(JsonFields in, String name) throws UnreadableCommand, MalformedJson;
    }

    /** Throws for a value that is larger than a receiver accepts. */
    @FunctionalInterface
    interface Check<T> {
        void check(String name, T value) throws UnreadableCommand;
    }

    static <T> MemberForm<T> of(Writer<T> writer, Reader<T> reader) {
        return new MemberForm<>(writer, reader, (name, value) -> {});
    }

    /** An object under the name. */
    static <T> MemberForm<T> of(ObjectForm<T> form) {
        Writer<T> writer = (out, name, value) -> {
            form.write(value, out.beginObject(name));
            out.endObject();
        };
        return new MemberForm<>(writer, (in, name) -> form.read(in.fields(name)), (name, value) -> form.check(value));
    }

    /** The members of the object, without a name of their own. */
    static <T> MemberForm<T> inline(ObjectForm<T> form) {
        return new MemberForm<>(
                (out, name, value) -> form.write(value, out),
                (in, name) -> form.read(in),
                (name, value) -> form.check(value));
    }

    MemberForm<T> checked(Check<T> more) {
        return new MemberForm<>(writer, reader, (name, value) -> {
            check.check(name, value);
            more.check(name, value);
        });
    }
}
