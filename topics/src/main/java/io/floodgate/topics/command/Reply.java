package io.floodgate.topics.command;

import io.floodgate.topics.json.Bytes;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a command: executed, with lines of JSON that the command's documentation explains; or rejected. */
public sealed interface Reply {
    /** Executed. The body is lines of JSON, each one object. */
    record Done(byte[] body) implements Reply {
        public List<byte[]> lines() {
            List<byte[]> lines = new ArrayList<>();
            for (int start = 0; start < body.length; ) {
                int end = Bytes.find(body, start, body.length, '\n');
                lines.add(Arrays.copyOfRange(body, start, end));
                start = end + 1;
            }
            return lines;
        }

        @Override
        public String toString() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    record Rejected(Rejection rejection) implements Reply {}

    /** The value of the reply record; the code of a rejection goes into a header. */
    default byte[] toBytes() {
        return switch (this) {
            case Done done -> done.body;
            case Rejected rejected -> write(rejected.rejection);
        };
    }

    /** Of the body; a rejection is small. */
    default int bytes() {
        return this instanceof Done done ? done.body.length : 0;
    }

    /** Throws an {@link IllegalArgumentException} for a rejection that cannot be read. */
    static Reply read(@Nullable String rejectedCode, byte[] value) {
        return rejectedCode == null ? new Done(value) : new Rejected(readRejection(value));
    }

    static byte[] write(Rejection rejection) {
        JsonOut out = JsonOut.object()
                .field("code", rejection.code().name())
                .field("message", rejection.message())
                .beginObject("details");
        for (Rejection.Detail detail : rejection.details())
            out.fieldRaw(detail.name(), detail.json().getBytes(StandardCharsets.UTF_8));
        return out.endObject().endObject().toBytes();
    }

    static Rejection readRejection(byte[] json) {
        try {
            Members members = Members.of(json);
            String name = members.text("code");
            String message = members.text("message");
            if (name == null || message == null) throw new IllegalArgumentException("this is no rejection");
            List<Rejection.Detail> details = new ArrayList<>();
            Members given = members.object("details");
            if (given != null)
                for (String detail : given.names()) {
                    byte[] value = given.raw(detail);
                    if (value != null)
                        details.add(new Rejection.Detail(detail, new String(value, StandardCharsets.UTF_8)));
                }
            // A newer processor may reject for reasons this version cannot name.
            return new Rejection(ErrorCode.parse(name).orElse(ErrorCode.INTERNAL_ERROR), message, details);
        } catch (MalformedJson malformed) {
            throw new IllegalArgumentException("this is no rejection", malformed);
        }
    }
}
